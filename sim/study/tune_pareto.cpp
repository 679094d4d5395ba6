#include "sim/study/tune_pareto.hpp"

#include <algorithm>

namespace smsim {
namespace {

std::vector<std::size_t> with_cycles(const std::vector<TunePoint>& points) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].cycles) order.push_back(i);
  }
  return order;
}

template <class Before>
std::optional<std::size_t> first_by(const std::vector<TunePoint>& points, const Before& before) {
  const std::vector<std::size_t> order = with_cycles(points);
  if (order.empty()) return std::nullopt;
  return *std::min_element(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return before(points[a], points[b]);
  });
}

}  // namespace

std::vector<std::size_t> pareto_front(const std::vector<TunePoint>& points) {
  std::vector<std::size_t> order = with_cycles(points);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (*points[a].cycles != *points[b].cycles) return *points[a].cycles < *points[b].cycles;
    return points[a].achieved_pct > points[b].achieved_pct;
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    if (front.empty() || points[i].achieved_pct > points[front.back()].achieved_pct) {
      front.push_back(i);
    }
  }
  return front;
}

std::optional<std::size_t> fastest(const std::vector<TunePoint>& points) {
  return first_by(points,
                  [](const TunePoint& a, const TunePoint& b) { return *a.cycles < *b.cycles; });
}

std::optional<std::size_t> most_occupied(const std::vector<TunePoint>& points) {
  return first_by(points, [](const TunePoint& a, const TunePoint& b) {
    if (a.achieved_pct != b.achieved_pct) return a.achieved_pct > b.achieved_pct;
    return *a.cycles < *b.cycles;
  });
}

}  // namespace smsim
