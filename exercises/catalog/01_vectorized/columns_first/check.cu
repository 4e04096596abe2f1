extern "C" __global__ void expected(int* image, int width, int height) {
    for (int i = 0; i < width * height; i++) image[i] = 255 - image[i];
}
