/** @file cusparse.h
 *  Not simulated. */
#error "simgpu: <cusparse.h> is not simulated: sparse matrices"
