import "zarrita";
