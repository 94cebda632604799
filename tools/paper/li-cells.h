/* SPDX-License-Identifier: MIT */
/** @file li-cells.h
 * The cells of the measured figures of Li et al. (2011), from kept results.
 */
#ifndef TOOLS_PAPER_LI_CELLS_H
#define TOOLS_PAPER_LI_CELLS_H

#include "paper.h"

cell_value time_cell; /* Figures 24 and 25 */
cell_value their_reduction, our_reduction_26, our_reduction_27, our_reduction_28,
    our_reduction_29;
cell_value their_reduction_26, their_reduction_27, their_reduction_28, their_reduction_29;
cell_value max_error_cell, mean_error_cell;               /* Figures 30 and 31 */
cell_value max_error_by_levels, mean_error_by_levels;     /* Figures 32 to 35 */
cell_value time_by_levels, speedup_by_levels;             /* Figures 36 to 39 */
cell_value double_cell, double_max_mean, normalised_cell; /* Figures 40 to 44 */
cell_value texture_sgemm_cell;               /* sgemm with a texture, section 8.1 */
cell_value their_conclusion, our_conclusion; /* speedup and what it follows */

#endif
