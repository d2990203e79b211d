// Which library: ns for one 24-byte message, the next depending on the last / all independent,
// median of 11 runs of 400 000, g++ 12 -O3, AMD EPYC (Zen 3, 2.45 GHz, with SHA instructions),
// Debian 12:
//
//   Crypto++ 8.7   SHA1::Transform                         51 /  50
//   OpenSSL 3.0    SHA1_Transform (deprecated)             50 /  47
//   nettle 3.8     nettle_sha1_compress (internal)         52 /  47
//   OpenSSL 3.0    SHA1_Init, _Update, _Final (deprecated) 63 /  61
//   nettle 3.8     sha1_init, _update, _digest             67 /  63
//   libgcrypt 1.10 gcry_md_hash_buffer                     71 /  68
//   Crypto++ 8.7   SHA1::CalculateDigest                   75 /  73
//   OpenSSL 3.0    EVP_DigestInit_ex2 … , context kept    135 / 151
//   Boost 1.74     uuids::detail::sha1                    445 / 417
//   OpenSSL 3.0    SHA1()                                 536 / 457
//
// The three bare compression functions are as fast as each other, and what remains is the
// processor's own time. Crypto++'s is the one that is public and not deprecated, and it takes
// words, so that no byte is swapped on the way in or out.
#include "workloads/recursive/uts/sha1.hpp"

#include <cryptopp/sha.h>

namespace stealbench::uts {

sha1_digest sha1(const sha1_block& padded) {
  // The initial value of FIPS 180-4, section 5.3.1, in storage aligned as Crypto++ demands.
  alignas(16) std::array<std::uint32_t, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                                                 0xc3d2e1f0};
  CryptoPP::SHA1::Transform(state.data(), padded.data());
  return state;
}

}  // namespace stealbench::uts
