// An empty script.
