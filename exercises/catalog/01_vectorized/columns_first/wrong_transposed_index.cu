// wrong: budget
// The index is transposed as well: every pixel is still done once, and the lanes still go down a column.

extern "C" __global__ void invert(int* image, int width, int height) {
    const int column = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    if (row < height && column < width) {
        image[column * height + row] = 255 - image[column * height + row];
    }
}
