/* SPDX-License-Identifier: Apache-2.0 */
/* PETSc's conjugate gradients on the problem of engine/krylov (docs/explanation/conjugate-gradients.md), so
   that both can stand in one table. Writes records of kind "krylov", one JSON object a line, to -record FILE.

   -elements 64,128     of a side of the mesh
   -iterations 100      of each solve        -repetitions 5   solves of each cell
   -launch 0            number of this one   -seed 0          of the order of cells; 0: as they are listed
   -run_id NAME         of the records       -oversubscribed  more ranks than processors

   Cells: KSPCG with two reductions and with one, KSPGROPPCG and KSPPIPECG, the last two with asynchronous
   split reductions (progress "library") and without (progress "blocking", the control arm). The first cell
   that does not iterate to the end on finite numbers ends the program with 2 and leaves no record. */
#include <inttypes.h>
#include <math.h>
#include <petscksp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "isobath_region.h"

enum { most_sizes = 16, cells_of_a_size = 6, most_events = 12 };

typedef struct {
  const char* method;
  KSPType type;
  PetscBool one_reduction;
  PetscBool asynchronous;
} Arm;

static const Arm arms[cells_of_a_size] = {{"cg", KSPCG, PETSC_FALSE, PETSC_FALSE},
                                          {"single", KSPCG, PETSC_TRUE, PETSC_FALSE},
                                          {"gropp", KSPGROPPCG, PETSC_FALSE, PETSC_FALSE},
                                          {"gropp", KSPGROPPCG, PETSC_FALSE, PETSC_TRUE},
                                          {"pipelined", KSPPIPECG, PETSC_FALSE, PETSC_FALSE},
                                          {"pipelined", KSPPIPECG, PETSC_FALSE, PETSC_TRUE}};

static const char* const events[most_events] = {"MatMult", "PCApply",        "VecTDot",       "VecDot",
                                                "VecMDot", "VecMTDot",       "VecNorm",       "VecAXPY",
                                                "VecAYPX", "VecReduceArith", "VecReduceComm", "VecReduceEnd"};

typedef struct {
  PetscInt iterations, repetitions, launch, seed;
  PetscBool oversubscribed;
  char record[PETSC_MAX_PATH_LEN];
  char run_id[256];
} Settings;

/* What one cell measured on this rank: by repetition. */
typedef struct {
  int64_t* solve;
  int64_t* together;
  int64_t* event; /* event after event */
  PetscReal* norms;
  PetscReal error;
} Times;

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static PetscBool is_boundary(PetscInt node, PetscInt elements) {
  const PetscInt row = node / (elements + 1), column = node % (elements + 1);
  return row == 0 || row == elements || column == 0 || column == elements ? PETSC_TRUE : PETSC_FALSE;
}

/* Whole rows of the mesh on each rank, the first ones larger where they do not go evenly. */
static PetscErrorCode assemble(MPI_Comm comm, PetscInt elements, Mat* matrix, Vec* right) {
  const PetscInt width = elements + 1, all = width * width;
  PetscMPIInt rank, ranks;
  PetscInt first, end;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  const PetscInt own = (width / ranks + (rank < width % ranks ? 1 : 0)) * width;
  PetscCall(MatCreateAIJ(comm, own, own, all, all, 9, NULL, 6, NULL, matrix));
  PetscCall(MatCreateVecs(*matrix, right, NULL));
  PetscCall(MatGetOwnershipRange(*matrix, &first, &end));
  for (PetscInt node = first; node < end; ++node) {
    if (is_boundary(node, elements)) {
      PetscCall(MatSetValue(*matrix, node, node, 1.0, INSERT_VALUES));
      PetscCall(VecSetValue(*right, node, (PetscReal)(node / width) / (PetscReal)elements, INSERT_VALUES));
      continue;
    }
    for (PetscInt down = -1; down <= 1; ++down) {
      for (PetscInt across = -1; across <= 1; ++across) {
        const PetscScalar weight = down == 0 && across == 0 ? 8.0 / 3.0 : -1.0 / 3.0;
        PetscCall(MatSetValue(*matrix, node, node + down * width + across, weight, INSERT_VALUES));
      }
    }
  }
  PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(VecAssemblyBegin(*right));
  PetscCall(VecAssemblyEnd(*right));
  PetscFunctionReturn(0);
}

static PetscErrorCode make_solver(MPI_Comm comm, const Arm* arm, Mat matrix, const Settings* settings,
                                  PetscReal* norms, KSP* ksp) {
  PC pc;
  PetscFunctionBeginUser;
  PetscCall(KSPCreate(comm, ksp));
  PetscCall(KSPSetOperators(*ksp, matrix, matrix));
  PetscCall(KSPSetType(*ksp, arm->type));
  if (arm->one_reduction) PetscCall(KSPCGUseSingleReduction(*ksp, PETSC_TRUE));
  PetscCall(KSPSetNormType(*ksp, KSP_NORM_NATURAL));
  PetscCall(KSPSetConvergenceTest(*ksp, KSPConvergedSkip, NULL, NULL));
  PetscCall(KSPSetTolerances(*ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, settings->iterations));
  PetscCall(KSPSetInitialGuessNonzero(*ksp, PETSC_TRUE));
  PetscCall(KSPGetPC(*ksp, &pc));
  PetscCall(PCSetType(pc, PCJACOBI));
  PetscCall(KSPSetResidualHistory(*ksp, norms, settings->iterations + 2, PETSC_TRUE));
  PetscCall(KSPSetUp(*ksp));
  PetscFunctionReturn(0);
}

/* Nanoseconds so far; 0 for an event that this PETSc does not have. */
static int64_t spent_in(const char* name) {
  PetscLogEvent event = -1;
  PetscEventPerfInfo info;
  if (PetscLogEventGetId(name, &event) != 0 || event < 0) return 0;
  if (PetscLogEventGetPerfInfo(0, event, &info) != 0) return 0;
  return (int64_t)(info.time * 1e9);
}

/* Solves that count are announced as `region` to whoever profiles. */
static PetscErrorCode solve_again_and_again(MPI_Comm comm, const char* region, KSP ksp, Vec right, Vec x,
                                            const Settings* settings, Times* times) {
  const PetscInt all = settings->repetitions;
  PetscFunctionBeginUser;
  for (PetscInt i = -1; i < all; ++i) { /* the first is not counted */
    int64_t before[most_events], first, last;
    PetscCall(VecCopy(right, x)); /* 0 inside, y on the boundary */
    for (int event = 0; event < most_events; ++event) before[event] = spent_in(events[event]);
    PetscCallMPI(MPI_Barrier(comm));
    if (i >= 0) isobath_region_change(region, -1);
    const int64_t entry = nanoseconds();
    PetscCall(KSPSolve(ksp, right, x));
    const int64_t leaving = nanoseconds();
    if (i >= 0) isobath_region_change(NULL, -1);
    PetscCallMPI(MPI_Allreduce(&entry, &first, 1, MPI_INT64_T, MPI_MIN, comm));
    PetscCallMPI(MPI_Allreduce(&leaving, &last, 1, MPI_INT64_T, MPI_MAX, comm));
    if (i < 0) continue;
    times->solve[i] = leaving - entry;
    times->together[i] = last - first;
    for (int event = 0; event < most_events; ++event) {
      times->event[event * all + i] = spent_in(events[event]) - before[event];
    }
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode distance_from_solution(Vec x, PetscInt elements, PetscReal* distance) {
  const PetscScalar* values;
  PetscReal here = 0;
  PetscInt first, end;
  PetscFunctionBeginUser;
  PetscCall(VecGetOwnershipRange(x, &first, &end));
  PetscCall(VecGetArrayRead(x, &values));
  for (PetscInt node = first; node < end; ++node) {
    const PetscReal y = (PetscReal)(node / (elements + 1)) / (PetscReal)elements;
    here = PetscMax(here, PetscAbsReal(PetscRealPart(values[node - first]) - y));
  }
  PetscCall(VecRestoreArrayRead(x, &values));
  PetscCallMPI(MPI_Allreduce(&here, distance, 1, MPIU_REAL, MPIU_MAX, PetscObjectComm((PetscObject)x)));
  PetscFunctionReturn(0);
}

/* Collective, the same on all ranks. So many iterations were made on numbers; all where all were. */
static PetscErrorCode sound_iterations(MPI_Comm comm, KSP ksp, const Settings* settings, const Times* times,
                                       PetscInt* sound) {
  PetscInt here = 0, made;
  PetscFunctionBeginUser;
  PetscCall(KSPGetIterationNumber(ksp, &made));
  const PetscInt end = PetscMin(made, settings->iterations);
  while (here < end && isfinite((double)times->norms[here])) ++here;
  if (here == settings->iterations && !isfinite((double)times->error)) --here;
  PetscCallMPI(MPI_Allreduce(&here, sound, 1, MPIU_INT, MPI_MIN, comm));
  PetscFunctionReturn(0);
}

static void put_list(FILE* out, const int64_t* values, PetscInt count) {
  for (PetscInt i = 0; i < count; ++i) fprintf(out, "%s%" PRId64, i == 0 ? "[" : ", ", values[i]);
  fputs("]", out);
}

/* Collective. Lists of all ranks, written by rank 0. */
static PetscErrorCode put_by_rank(FILE* out, MPI_Comm comm, const int64_t* own, PetscInt count) {
  PetscMPIInt rank, ranks;
  int64_t* all = NULL;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  PetscCall(PetscMalloc1(count * ranks, &all));
  PetscCallMPI(
      MPI_Gather(own, (PetscMPIInt)count, MPI_INT64_T, all, (PetscMPIInt)count, MPI_INT64_T, 0, comm));
  for (PetscMPIInt r = 0; out != NULL && r < ranks; ++r) {
    fputs(r == 0 ? "[" : ", ", out);
    put_list(out, all + r * count, count);
  }
  if (out != NULL) fputs("]", out);
  PetscCall(PetscFree(all));
  PetscFunctionReturn(0);
}

/* Collective. */
static PetscErrorCode put_record(FILE* out, MPI_Comm comm, const Arm* arm, PetscInt elements, int order,
                                 const Settings* settings, const Times* times) {
  PetscMPIInt ranks;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  if (out != NULL) {
    fprintf(out, "{\"schema\": 1, \"kind\": \"krylov\", \"run_id\": \"%s\", ", settings->run_id);
    fprintf(out, "\"origin\": \"measured\", \"implementation\": \"petsc\", \"method\": \"%s\", ",
            arm->method);
    fprintf(out, "\"elements\": %d, \"iterations\": %d, ", (int)elements, (int)settings->iterations);
    fprintf(out, "\"ranks\": %d, \"aggregators\": 0, \"threads_per_rank\": 1, ", ranks);
    fprintf(out, "\"progress\": \"%s\", \"tests\": 0, ", arm->asynchronous ? "library" : "blocking");
    fprintf(out, "\"alignment\": \"barrier:library\", \"oversubscribed\": %s, ",
            settings->oversubscribed ? "true" : "false");
    fprintf(out,
            "\"launch\": %d, \"order\": %d, \"solve\": {\"together_nanoseconds\": ", (int)settings->launch,
            order);
    put_list(out, times->together, settings->repetitions);
    fputs(", \"rank_nanoseconds\": ", out);
  }
  PetscCall(put_by_rank(out, comm, times->solve, settings->repetitions));
  if (out != NULL) fputs("}, \"events\": {", out);
  for (int event = 0; event < most_events; ++event) {
    if (out != NULL) fprintf(out, "%s\"%s\": ", event == 0 ? "" : ", ", events[event]);
    PetscCall(put_by_rank(out, comm, times->event + event * settings->repetitions, settings->repetitions));
  }
  if (out != NULL) {
    fputs("}, \"invalid\": [], \"norms\": ", out);
    for (PetscInt i = 0; i < settings->iterations; ++i) {
      fprintf(out, "%s%.17g", i == 0 ? "[" : ", ", (double)times->norms[i]);
    }
    fprintf(out, "], \"error\": %.17g}\n", (double)times->error);
  }
  PetscFunctionReturn(0);
}

/* A communicator of its own for each cell: whether split reductions are asynchronous is kept with it. Writes
   nothing of a cell whose sound iterations are not all. */
static PetscErrorCode measure(FILE* out, const Arm* arm, PetscInt elements, int order,
                              const Settings* settings, PetscInt* sound) {
  MPI_Comm comm;
  Mat matrix;
  Vec right, x;
  KSP ksp;
  Times times;
  char region[64];
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  PetscCall(PetscOptionsSetValue(NULL, "-splitreduction_async", arm->asynchronous ? "1" : "0"));
  PetscCall(PetscCalloc1(settings->repetitions, &times.solve));
  PetscCall(PetscCalloc1(settings->repetitions, &times.together));
  PetscCall(PetscCalloc1(settings->repetitions * most_events, &times.event));
  PetscCall(PetscCalloc1(settings->iterations + 2, &times.norms));
  PetscCall(assemble(comm, elements, &matrix, &right));
  PetscCall(VecDuplicate(right, &x));
  PetscCall(make_solver(comm, arm, matrix, settings, times.norms, &ksp));
  snprintf(region, sizeof region, "%s/%s/0/%d", arm->method, arm->asynchronous ? "library" : "blocking",
           (int)elements);
  PetscCall(solve_again_and_again(comm, region, ksp, right, x, settings, &times));
  PetscCall(distance_from_solution(x, elements, &times.error));
  PetscCall(sound_iterations(comm, ksp, settings, &times, sound));
  if (*sound == settings->iterations) {
    PetscCall(put_record(out, comm, arm, elements, order, settings, &times));
  }
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&right));
  PetscCall(MatDestroy(&matrix));
  PetscCall(PetscFree(times.norms));
  PetscCall(PetscFree(times.event));
  PetscCall(PetscFree(times.together));
  PetscCall(PetscFree(times.solve));
  PetscCallMPI(MPI_Comm_free(&comm));
  PetscFunctionReturn(0);
}

static PetscErrorCode read_settings(Settings* settings, PetscInt* elements, PetscInt* sizes) {
  PetscFunctionBeginUser;
  settings->iterations = 100;
  settings->repetitions = 5;
  settings->launch = settings->seed = 0;
  settings->oversubscribed = PETSC_FALSE;
  settings->record[0] = '\0';
  snprintf(settings->run_id, sizeof settings->run_id, "petsc");
  elements[0] = 256;
  *sizes = most_sizes;
  PetscBool given;
  PetscCall(PetscOptionsGetIntArray(NULL, NULL, "-elements", elements, sizes, &given));
  if (!given) *sizes = 1;
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-iterations", &settings->iterations, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-repetitions", &settings->repetitions, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-launch", &settings->launch, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-seed", &settings->seed, NULL));
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-oversubscribed", &settings->oversubscribed, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-record", settings->record, sizeof settings->record, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-run_id", settings->run_id, sizeof settings->run_id, NULL));
  PetscFunctionReturn(0);
}

/* Places 0 .. count - 1, shuffled by a generator that is the same on all ranks. */
static void shuffle(int* places, int count, PetscInt seed) {
  uint64_t state = (uint64_t)seed;
  for (int i = 0; i < count; ++i) places[i] = i;
  for (int i = count; seed != 0 && i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const int other = (int)((state >> 33) % (uint64_t)i);
    const int kept = places[i - 1];
    places[i - 1] = places[other];
    places[other] = kept;
  }
}

/* All cells in their order, until one is not sound. */
static PetscErrorCode measure_all(FILE* out, const PetscInt* elements, PetscInt sizes,
                                  const Settings* settings, PetscBool* is_sound) {
  int places[most_sizes * cells_of_a_size];
  PetscMPIInt rank;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  const int cells = (int)sizes * cells_of_a_size;
  shuffle(places, cells, settings->seed);
  *is_sound = PETSC_TRUE;
  for (int order = 0; order < cells && *is_sound; ++order) {
    const Arm* arm = &arms[places[order] % cells_of_a_size];
    const PetscInt side = elements[places[order] / cells_of_a_size];
    PetscInt sound;
    PetscCall(measure(out, arm, side, order, settings, &sound));
    if (sound == settings->iterations) continue;
    *is_sound = PETSC_FALSE;
    if (rank != 0) continue;
    fprintf(stderr,
            "isobath: PETSc's %s, %s, on %d elements cannot go on after %d of %d iterations, because its "
            "residual "
            "came down to rounding; use fewer iterations or more elements\n",
            arm->method, arm->asynchronous ? "library" : "blocking", (int)side, (int)sound,
            (int)settings->iterations);
  }
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  Settings settings;
  PetscInt elements[most_sizes], sizes;
  PetscMPIInt rank;
  PetscBool is_sound;
  FILE* out = NULL;
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, "conjugate gradients on bilinear elements\n"));
  PetscCall(PetscLogDefaultBegin());
  PetscCall(read_settings(&settings, elements, &sizes));
  PetscCallMPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  if (rank == 0) {
    out = settings.record[0] == '\0' ? stdout : fopen(settings.record, "a");
    if (out == NULL) {
      fprintf(stderr, "isobath: cannot open %s; name another file with -record\n", settings.record);
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
  }
  PetscCall(measure_all(out, elements, sizes, &settings, &is_sound));
  if (out != NULL && out != stdout) fclose(out);
  PetscCall(PetscFinalize());
  return is_sound ? 0 : 2;
}
