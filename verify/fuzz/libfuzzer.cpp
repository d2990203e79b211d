// The functions that libFuzzer looks for.
#include <cstdint>
#include <cstring>

#include "verify/fuzz/profile.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stealbench::fuzz::try_profile(std::string(data, data + size));
  return 0;
}

// Bytes one time in eight, for the parser; else values.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  constexpr unsigned bytes_one_in = 8;
  if (seed % bytes_one_in == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string mutant = stealbench::fuzz::mutated(std::string(data, data + size), seed);
  if (mutant.empty() || mutant.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, mutant.data(), mutant.size());
  return mutant.size();
}
