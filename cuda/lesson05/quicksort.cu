// lesson05/quicksort.cu: quicksort, one grid per part.
//
// Idea      Only the elements say how often a list is divided. A kernel that finds two parts launches two grids.
// Correct   The two parts have no element in common, so they need no order: each goes into a stream of its own. Grids may be
//           nested 24 deep, and a launch is expensive. So the thread itself sorts short parts and deep ones.
// Contract  One block of one thread for data[first .. end); depth 0.
// Expect    no findings; the elements sorted.
// Flags     -rdc=true

#define MOST_DEPTH 12
#define SHORT 24

__device__ void insertion_sort(int* data, int first, int end) {
    for (int i = first + 1; i < end; i++) {
        const int value = data[i];
        int at = i;
        for (; at > first && data[at - 1] > value; at--) data[at] = data[at - 1];
        data[at] = value;
    }
}

// Heap sort, for parts that are deep by chance: n log n in the worst case.
__device__ void sift(int* data, int at, int n) {
    const int value = data[at];
    for (int child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && data[child + 1] > data[child]) child++;
        if (data[child] <= value) break;
        data[at] = data[child];
        at = child;
    }
    data[at] = value;
}

__device__ void heap_sort(int* data, int n) {
    for (int at = n / 2 - 1; at >= 0; at--) sift(data, at, n);
    for (int end = n - 1; end > 0; end--) {
        const int last = data[end];
        data[end] = data[0];
        data[0] = last;
        sift(data, 0, end);
    }
}

extern "C" __global__ void quicksort_correct(int* data, int first, int end, int depth, int* error) {
    if (end - first <= SHORT) return insertion_sort(data, first, end);
    if (depth >= MOST_DEPTH) return heap_sort(data + first, end - first);

    // The middle one of three as the pivot; then Hoare's partition.
    const int a = data[first], b = data[first + (end - first) / 2], c = data[end - 1];
    const int pivot = max(min(a, b), min(max(a, b), c));
    int left = first, right = end - 1;
    while (left <= right) {
        while (data[left] < pivot) left++;
        while (data[right] > pivot) right--;
        if (left <= right) {
            const int value = data[left];
            data[left++] = data[right];
            data[right--] = value;
        }
    }
    if (first < right) quicksort_correct<<<1, 1, 0, cudaStreamFireAndForget>>>(data, first, right + 1, depth + 1, error);
    if (left < end - 1) quicksort_correct<<<1, 1, 0, cudaStreamFireAndForget>>>(data, left, end, depth + 1, error);
    const cudaError_t failed = cudaGetLastError();
    if (failed != cudaSuccess) atomicMax(error, (int)failed);
}
