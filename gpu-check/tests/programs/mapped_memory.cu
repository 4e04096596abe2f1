// Two pieces of memory are mapped side by side, and a kernel writes across both.
// prints: 0 1048575: no error
// flags: -lcuda
#include <cstdio>
#include <cuda.h>

__global__ void fill(int* data, int stride) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    data[i] = i;
}

int main() {
    cudaFree(nullptr);
    CUmemAllocationProp wanted = {};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    size_t part = 0;
    cuMemGetAllocationGranularity(&part, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    CUdeviceptr address;
    cuMemAddressReserve(&address, 4 * part, 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        CUmemGenericAllocationHandle handle;
        cuMemCreate(&handle, part, &wanted, 0);
        cuMemMap(address + i * part, part, 0, handle, 0);
        cuMemRelease(handle);
    }
    CUmemAccessDesc access = {};
    access.location = wanted.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    cuMemSetAccess(address, 2 * part, &access, 1);

    int* data = (int*)address;
    int last = int(2 * part / sizeof(int)) - 1, host[2];
    fill<<<2, 64>>>(data, last / 127);
    fill<<<1, 2>>>(data, last);
    cudaMemcpy(&host[0], data, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&host[1], data + last, sizeof(int), cudaMemcpyDeviceToHost);
    cuMemUnmap(address, 2 * part);
    cuMemAddressFree(address, 4 * part);
    printf("%d %d: %s\n", host[0], host[1], cudaGetErrorString(cudaDeviceSynchronize()));
}
