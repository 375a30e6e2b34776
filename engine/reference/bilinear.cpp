// SPDX-License-Identifier: Apache-2.0
#include "reference/bilinear.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace isobath::reference {
namespace {

/// Integral over the unit square of the product of the gradients of the shape functions of corners a and b;
/// corner 2 i + j stands at row i, column j. Two Gauss points a direction are exact.
double gradient_product(std::size_t a, std::size_t b) {
  const std::array<double, 2> points = {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)};
  const auto hat = [](std::size_t end, double t) { return end == 0 ? 1 - t : t; };
  const auto slope = [](std::size_t end) { return end == 0 ? -1.0 : 1.0; };
  double sum = 0;
  for (const double y : points) {
    for (const double x : points) {
      sum += 0.25 * slope(a % 2) * hat(a / 2, y) * slope(b % 2) * hat(b / 2, y);
      sum += 0.25 * hat(a % 2, x) * slope(a / 2) * hat(b % 2, x) * slope(b / 2);
    }
  }
  return sum;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

BilinearProblem bilinear_problem(std::size_t elements) {
  const std::size_t width = elements + 1;
  BilinearProblem problem;
  problem.nodes = width * width;
  problem.matrix.assign(problem.nodes * problem.nodes, 0);
  problem.right.assign(problem.nodes, 0);
  for (std::size_t row = 0; row < elements; ++row) {
    for (std::size_t column = 0; column < elements; ++column) {
      for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = 0; b < 4; ++b) {
          const std::size_t from = (row + a / 2) * width + column + a % 2;
          const std::size_t to = (row + b / 2) * width + column + b % 2;
          problem.matrix[from * problem.nodes + to] += gradient_product(a, b);
        }
      }
    }
  }
  for (std::size_t node = 0; node < problem.nodes; ++node) {
    const std::size_t row = node / width;
    const std::size_t column = node % width;
    if (row != 0 && row != elements && column != 0 && column != elements) continue;
    for (std::size_t to = 0; to < problem.nodes; ++to) problem.matrix[node * problem.nodes + to] = 0;
    problem.matrix[node * problem.nodes + node] = 1;
    problem.right[node] = static_cast<double>(row) / static_cast<double>(elements);
  }
  problem.start = problem.right;
  return problem;
}

std::vector<double> product(const BilinearProblem& problem, const std::vector<double>& values) {
  std::vector<double> result(problem.nodes, 0);
  for (std::size_t i = 0; i < problem.nodes; ++i) {
    for (std::size_t j = 0; j < problem.nodes; ++j)
      result[i] += problem.matrix[i * problem.nodes + j] * values[j];
  }
  return result;
}

std::vector<double> solution(const BilinearProblem& problem) {
  const std::size_t n = problem.nodes;
  std::vector<double> a = problem.matrix;
  std::vector<double> x = problem.right;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
    std::swap(x[k], x[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) x[k] -= a[k * n + j] * x[j];
    x[k] /= a[k * n + k];
  }
  return x;
}

std::vector<double> natural_norms(const BilinearProblem& problem, int iterations) {
  const std::size_t n = problem.nodes;
  std::vector<double> x = problem.start;
  std::vector<double> r = product(problem, x);
  for (std::size_t i = 0; i < n; ++i) r[i] = problem.right[i] - r[i];
  std::vector<double> p(n, 0);
  std::vector<double> norms;
  double last = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    std::vector<double> u(n);
    for (std::size_t i = 0; i < n; ++i) u[i] = r[i] / problem.matrix[i * n + i];
    const double gamma = dot(r, u);
    norms.push_back(std::sqrt(gamma));
    for (std::size_t i = 0; i < n; ++i) p[i] = u[i] + (iteration == 0 ? 0 : gamma / last) * p[i];
    last = gamma;
    const std::vector<double> s = product(problem, p);
    const double alpha = gamma / dot(p, s);
    for (std::size_t i = 0; i < n; ++i) x[i] += alpha * p[i];
    for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * s[i];
  }
  return norms;
}

}  // namespace isobath::reference
