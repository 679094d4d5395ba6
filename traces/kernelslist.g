MemcpyHtoD,0x00007e0000000000,4096
kernel-1.traceg
kernel-2.traceg
