// The functions that libFuzzer looks for.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "verify/fuzz/input.hpp"
#include "workloads/kit/parameters.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    stealbench::fuzz::try_input(std::string(data, data + size));
  } catch (const stealbench::kit::bad_input&) {
    return 0;
  } catch (const std::invalid_argument&) {
    return 0;
  }
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
