# Where loops are cut, what is vectorised changes, and with it what would be fused: other last bits.
set_source_files_properties(recursive/fft/kernels.cpp PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
