#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "reference.h"
#include "support/timing.h"

/// Sorts of CUDA libraries, for `bench --peers`.
///
/// They run in a program of their own, glsort-peers (demos/peers). There are three reasons. The compiler of CUDA builds
/// no other source. `glsort` starts on machines without CUDA. A fault of CUDA cannot end a long run of bench.
namespace glsort::demo {

struct CudaPeer {
    std::string name;     ///< `cub`
    std::string version;  ///< `CUB 3.6.0, CUDA 13.0`
};

struct CudaTimes {
    std::vector<double> ms;  ///< Of each repetition, by CUDA's events.
    double copy_ms = 0;      ///< Of a copy of the records.
    bool verified = false;
    std::string device;
};

class CudaPeers {
  public:
    /// The program: `program`; if empty, glsort-peers in the folder of this program. Throws std::runtime_error if the
    /// program does not exist, cannot run, or finds no device.
    explicit CudaPeers(const std::filesystem::path& program);

    const std::vector<CudaPeer>& peers() const { return peers_; }

    /// Sorts items by a peer. Their keys are replaced by codes, which are unsigned numbers in the order of the keys.
    /// Values are the positions of the keys, and are as large as those of the items. Throws std::runtime_error.
    CudaTimes time(const CudaPeer& peer, const ItemType& type, const Items& input, const TimingOptions& options) const;

  private:
    std::filesystem::path program_;
    std::vector<CudaPeer> peers_;
};

}  // namespace glsort::demo
