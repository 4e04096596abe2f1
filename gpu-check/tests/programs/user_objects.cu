// A graph, its copy and what was instantiated of it hold references to an object: the last one to go destroys it.
// prints: 0 0 0 1, 42, then 0 1: no error
#include <cstdio>

static int destroyed = 0, last = 0;

void destroy(void* data) {
    destroyed++;
    last = *(int*)data;
    delete (int*)data;
}

__global__ void nothing() {}

int main() {
    nothing<<<1, 1>>>();
    cudaUserObject_t object;
    cudaUserObjectCreate(&object, new int(42), destroy, 1, cudaUserObjectNoDestructorSync);
    cudaGraph_t graph, copy;
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t node;
    cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
    cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
    cudaGraphClone(&copy, graph);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, copy, 0);
    printf("%d ", destroyed);
    cudaGraphDestroy(graph);
    printf("%d ", destroyed);
    cudaGraphDestroy(copy);
    printf("%d ", destroyed);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraphLaunch(executable, stream);
    cudaGraphExecDestroy(executable);
    cudaStreamSynchronize(stream);
    printf("%d, %d, ", destroyed, last);

    // A graph gives its references back, and the program its own.
    destroyed = 0;
    cudaUserObjectCreate(&object, new int(7), destroy, 2, cudaUserObjectNoDestructorSync);
    cudaGraphCreate(&graph, 0);
    cudaGraphRetainUserObject(graph, object, 1, 0);
    cudaUserObjectRelease(object, 2);
    printf("then %d ", destroyed);
    cudaGraphReleaseUserObject(graph, object, 1);
    printf("%d: %s\n", destroyed, cudaGetErrorString(cudaGetLastError()));
}
