#include "sim/kernel/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace smsim {
namespace {

// Never 0, so that logarithms and negative powers stay finite.
double open_unit_interval(std::uint64_t key) {
  return unit_interval(key) + 0x1.0p-54;
}

double standard_normal(std::uint64_t key) {
  const double u = open_unit_interval(key);
  const double v = unit_interval(mix(key, 1));
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

double lognormal(double mean, double deviation, std::uint64_t key) {
  const double variance = std::log1p((deviation * deviation) / (mean * mean));
  const double mu = std::log(mean) - (variance / 2);
  return std::exp(mu + (std::sqrt(variance) * standard_normal(key)));
}

double pareto(double mean, double shape, std::uint64_t key) {
  const double scale = mean * (shape - 1) / shape;
  return scale * std::pow(open_unit_interval(key), -1 / shape);
}

double raw_draw(const Distribution& d, std::uint64_t key) {
  switch (d.kind) {
    case Distribution::Kind::constant:
      return d.mean;
    case Distribution::Kind::uniform:
      return d.minimum + std::floor(unit_interval(key) * (d.maximum - d.minimum + 1));
    case Distribution::Kind::normal:
      return d.mean + (d.spread * standard_normal(key));
    case Distribution::Kind::exponential:
      return -d.mean * std::log(open_unit_interval(key));
    case Distribution::Kind::lognormal:
      return lognormal(d.mean, d.spread, key);
    case Distribution::Kind::pareto:
      return pareto(d.mean, d.spread, key);
    case Distribution::Kind::bimodal:
      return unit_interval(key) < d.share ? d.spread : d.mean;
  }
  return d.mean;
}

}  // namespace

std::uint64_t draw(const Distribution& distribution, std::uint64_t key) {
  const double value = std::clamp(std::round(raw_draw(distribution, key)), distribution.minimum,
                                  distribution.maximum);
  return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

}  // namespace smsim
