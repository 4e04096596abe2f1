// The rows in reverse order; along a row nothing changes.

extern "C" __global__ void invert(int* image, int width, int height) {
    const int column = blockIdx.x * 16 + threadIdx.x;
    const int row = height - 1 - (int)(blockIdx.y * 16 + threadIdx.y);
    if (row >= 0) {
        int* pixel = image + row * width + column;
        *pixel = 255 - *pixel;
    }
}
