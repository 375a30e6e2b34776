/* SPDX-License-Identifier: Apache-2.0 */
/* Names regions of a program for `isobath profile`. Without the profiler these are empty calls of the MPI library, so a
 * program may keep them. No library to link: MPI_Pcontrol does it all. */
#ifndef ISOBATH_REGION_H
#define ISOBATH_REGION_H

#define ISOBATH_REGION_ENTER 150901
#define ISOBATH_REGION_LEAVE (-150901)
#define ISOBATH_REGION_CHANGE 150902
#define ISOBATH_REGION_SEARCH 150903

#ifdef MPI_VERSION
/* From here on calls belong to the region `name`, inside the one before. */
static inline void isobath_region_enter(const char* name) { MPI_Pcontrol(ISOBATH_REGION_ENTER, name); }
/* Back to the region before. */
static inline void isobath_region_leave(void) { MPI_Pcontrol(ISOBATH_REGION_LEAVE); }
/* Another region instead of this one; the number tells parts of one name apart (-1: none). No name: outside. */
static inline void isobath_region_change(const char* name, int number) {
  MPI_Pcontrol(ISOBATH_REGION_CHANGE, name, number);
}
/* From here on calls, in whatever region, belong to this search (or time step, or solve); -1: to none. */
static inline void isobath_region_search(int number) { MPI_Pcontrol(ISOBATH_REGION_SEARCH, number); }
#endif

#endif
