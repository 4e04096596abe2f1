// Two processes share memory of a pool, and physical memory that each maps: file descriptors go through a socket.
// prints: child: 64 and 64 right; parent: 64 and 64 right
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

const int n = 64;
const size_t part = 2 << 20;

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }
__global__ void add(int* data, int much) { data[threadIdx.x] += much; }

// Sent along with the two file descriptors.
struct Message {
    cudaMemPoolPtrExportData pointer;
};

struct Packet {
    Message message;
    iovec content{&message, sizeof message};
    alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {};
    msghdr header{};
    Packet()
    {
        header.msg_iov = &content;
        header.msg_iovlen = 1;
        header.msg_control = control;
        header.msg_controllen = sizeof control;
    }
};

void send(int socket, const int (&files)[2], const Message& message)
{
    Packet packet;
    packet.message = message;
    cmsghdr* rights = CMSG_FIRSTHDR(&packet.header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof files);
    memcpy(CMSG_DATA(rights), files, sizeof files);
    sendmsg(socket, &packet.header, 0);
}

Message receive(int socket, int (&files)[2])
{
    Packet packet;
    recvmsg(socket, &packet.header, 0);
    memcpy(files, CMSG_DATA(CMSG_FIRSTHDR(&packet.header)), sizeof files);
    return packet.message;
}

int right(const void* data, int much)
{
    int host[n], count = 0;
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) count += host[i] == i + much;
    return count;
}

int* map(CUmemGenericAllocationHandle memory)
{
    CUdeviceptr address;
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    cuMemAddressReserve(&address, part, 0, 0, 0);
    cuMemMap(address, part, 0, memory, 0);
    cuMemSetAccess(address, part, &access, 1);
    return (int*)address;
}

int child(int socket)
{
    int files[2];
    Message message = receive(socket, files);
    cudaFree(0);
    cudaMemPool_t pool;
    int* pooled;
    void* pool_file = (void*)(uintptr_t)files[0];
    if (cudaMemPoolImportFromShareableHandle(&pool, pool_file, cudaMemHandleTypePosixFileDescriptor, 0) != cudaSuccess) return 1;
    if (cudaMemPoolImportPointer((void**)&pooled, pool, &message.pointer) != cudaSuccess) return 2;
    CUmemGenericAllocationHandle memory;
    void* memory_file = (void*)(uintptr_t)files[1];
    if (cuMemImportFromShareableHandle(&memory, memory_file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != CUDA_SUCCESS) return 3;
    int* mapped = map(memory);

    add<<<1, n>>>(pooled, 1000);
    add<<<1, n>>>(mapped, 2000);
    printf("child: %d and %d right; ", right(pooled, 1000), right(mapped, 2000));
    fflush(stdout);
    cuMemUnmap((CUdeviceptr)mapped, part);
    cuMemRelease(memory);
    return cudaFreeAsync(pooled, 0) == cudaSuccess && cudaStreamSynchronize(0) == cudaSuccess
        && cudaMemPoolDestroy(pool) == cudaSuccess ? 0 : 4;
}

int main()
{
    // A process that is forked may use CUDA if the one before has not.
    int sockets[2];
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets);
    pid_t started = fork();
    if (started == 0) _exit(child(sockets[1]));

    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool;
    int *pooled, files[2];
    cudaMemPoolCreate(&pool, &properties);
    cudaMemPoolExportToShareableHandle(&files[0], pool, cudaMemHandleTypePosixFileDescriptor, 0);
    cudaMallocFromPoolAsync((void**)&pooled, n * sizeof(int), pool, 0);

    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    kind.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemGenericAllocationHandle memory;
    cuMemCreate(&memory, part, &kind, 0);
    cuMemExportToShareableHandle(&files[1], memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    int* mapped = map(memory);

    fill<<<1, n>>>(pooled);
    fill<<<1, n>>>(mapped);
    cudaDeviceSynchronize();
    Message message;
    cudaMemPoolExportPointer(&message.pointer, pooled);
    send(sockets[0], files, message);
    int status = 1;
    waitpid(started, &status, 0);
    if (status != 0) printf("child ended with %d; ", status);
    printf("parent: %d and %d right\n", right(pooled, 1000), right(mapped, 2000));
    cudaFreeAsync(pooled, 0);
    cudaMemPoolDestroy(pool);
}
