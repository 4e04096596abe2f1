// This kernel does not need rows and columns: the image is one vector of width * height pixels.

extern "C" __global__ void invert(int* image, int width, int height) {
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int pixel = block * 256 + threadIdx.y * 16 + threadIdx.x;
    if (pixel < width * height) image[pixel] = 255 - image[pixel];
}
