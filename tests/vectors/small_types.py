"""The data types of at most one byte that ml_dtypes knows: how many bits a code has, the sign included."""

FLOATS = {
    "float8_e3m4": 8,
    "float8_e4m3": 8,
    "float8_e4m3b11fnuz": 8,
    "float8_e4m3fn": 8,
    "float8_e4m3fnuz": 8,
    "float8_e5m2": 8,
    "float8_e5m2fnuz": 8,
    "float8_e8m0fnu": 8,
    "float6_e2m3fn": 6,
    "float6_e3m2fn": 6,
    "float4_e2m1fn": 4,
}
INTEGERS = {"int2": 2, "int4": 4, "uint2": 2, "uint4": 4}
