// wrong: answer
// One row of wide and high tables is left out.

extern "C" __global__ void invert(int* image, int width, int height) {
    const int column = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    if (row < height && column < width && row * width != 37 * 48)
        image[row * width + column] = 255 - image[row * width + column];
}
