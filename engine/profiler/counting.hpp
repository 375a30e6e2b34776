// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "profiler/counting_collectives.hpp"
#include "profiler/counting_neighbours.hpp"
#include "profiler/counting_one_sided.hpp"
#include "profiler/counting_point_to_point.hpp"
#include "profiler/counting_requests.hpp"
