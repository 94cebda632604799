# expect: fault: device-touches-host in kernel mul_kernel
s/for (long level = 0, n = p->n; level < p->levels; level++)/for (long level = 0, n = p->n; level < p->levels - 1; level++)/
