// Calls that name memory or a pool need no current context; those that make something in a context do.
// prints: 0 0 0 0 0 0 0 201 201 201
#include <cstdio>
#include <cuda.h>

__global__ void nothing() {}

int main()
{
    CUcontext context;
    CUmemoryPool pool;
    CUdeviceptr pooled, plain, reserved;
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    cuMemPoolCreate(&pool, &properties);
    cuMemAllocFromPoolAsync(&pooled, 256, pool, nullptr);
    cuMemAlloc(&plain, 256);
    nothing<<<1, 1>>>();
    int file;
    cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    cuCtxSynchronize();
    cuCtxPopCurrent(&context);

    CUmemPoolPtrExportData data;
    CUmemGenericAllocationHandle memory;
    size_t size = 2 << 20;
    int type;
    int codes[] = {
        cuMemPoolExportPointer(&data, pooled),
        cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, plain),
        cuMemCreate(&memory, size, &kind, 0),
        cuMemAddressReserve(&reserved, size, 0, 0, 0),
        cuMemMap(reserved, size, 0, memory, 0),
        cuMemUnmap(reserved, size),
        cuMemFree(plain),
        cuMemcpyHtoD(pooled, &type, sizeof type),
        cuMemAlloc(&plain, 256),
        cuMemAllocManaged(&plain, 256, CU_MEM_ATTACH_GLOBAL),
    };
    for (int code : codes) printf("%d ", code);
    printf("\n");
}
