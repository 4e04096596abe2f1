//! The names and messages of the runtime's errors ("Error Handling").

use crate::cu;
use std::ffi::{CStr, c_char};
use std::ptr::null;

/// Number and name. The message is the driver's for this number, or, where it has no such error, the one that stands
/// here: what a learner will search for.
#[rustfmt::skip]
const ERRORS: &[(u32, &CStr, Option<&CStr>)] = &[
    (0, c"cudaSuccess", None),
    (1, c"cudaErrorInvalidValue", None),
    (2, c"cudaErrorMemoryAllocation", None),
    (3, c"cudaErrorInitializationError", None),
    (4, c"cudaErrorCudartUnloading", None),
    (5, c"cudaErrorProfilerDisabled", None),
    (6, c"cudaErrorProfilerNotInitialized", None),
    (7, c"cudaErrorProfilerAlreadyStarted", None),
    (8, c"cudaErrorProfilerAlreadyStopped", None),
    (9, c"cudaErrorInvalidConfiguration", Some(c"invalid configuration argument")),
    (12, c"cudaErrorInvalidPitchValue", Some(c"invalid pitch argument")),
    (13, c"cudaErrorInvalidSymbol", Some(c"invalid device symbol")),
    (16, c"cudaErrorInvalidHostPointer", Some(c"invalid host pointer")),
    (17, c"cudaErrorInvalidDevicePointer", Some(c"invalid device pointer")),
    (18, c"cudaErrorInvalidTexture", Some(c"invalid texture reference")),
    (19, c"cudaErrorInvalidTextureBinding", Some(c"texture is not bound to a pointer")),
    (20, c"cudaErrorInvalidChannelDescriptor", Some(c"invalid channel descriptor")),
    (21, c"cudaErrorInvalidMemcpyDirection", Some(c"invalid copy direction for memcpy")),
    (22, c"cudaErrorAddressOfConstant", Some(c"invalid address of constant")),
    (23, c"cudaErrorTextureFetchFailed", Some(c"fetch from texture failed")),
    (24, c"cudaErrorTextureNotBound", Some(c"cannot fetch from a texture that is not bound")),
    (25, c"cudaErrorSynchronizationError", Some(c"incorrect use of __syncthreads()")),
    (26, c"cudaErrorInvalidFilterSetting", Some(c"linear filtering not supported for non-float type")),
    (27, c"cudaErrorInvalidNormSetting", Some(c"read as normalized float not supported for data type")),
    (28, c"cudaErrorMixedDeviceExecution", Some(c"device emulation mode and device execution mode cannot be mixed")),
    (31, c"cudaErrorNotYetImplemented", Some(c"feature not yet implemented")),
    (32, c"cudaErrorMemoryValueTooLarge", Some(c"memory size or pointer value too large to fit in 32 bit")),
    (34, c"cudaErrorStubLibrary", None),
    (35, c"cudaErrorInsufficientDriver", Some(c"CUDA driver version is insufficient for CUDA runtime version")),
    (36, c"cudaErrorCallRequiresNewerDriver", Some(c"API call is not supported in the installed CUDA driver")),
    (37, c"cudaErrorInvalidSurface", Some(c"invalid surface reference")),
    (43, c"cudaErrorDuplicateVariableName", Some(c"duplicate global variable looked up by string name")),
    (44, c"cudaErrorDuplicateTextureName", Some(c"duplicate texture looked up by string name")),
    (45, c"cudaErrorDuplicateSurfaceName", Some(c"duplicate surface looked up by string name")),
    (46, c"cudaErrorDevicesUnavailable", Some(c"CUDA-capable device(s) is/are busy or unavailable")),
    (49, c"cudaErrorIncompatibleDriverContext", Some(c"incompatible driver context")),
    (52, c"cudaErrorMissingConfiguration", Some(c"__global__ function call is not configured")),
    (53, c"cudaErrorPriorLaunchFailure", Some(c"unspecified launch failure in prior launch")),
    (65, c"cudaErrorLaunchMaxDepthExceeded", Some(c"launch would exceed maximum depth of nested launches")),
    (66, c"cudaErrorLaunchFileScopedTex", Some(c"launch failed because kernel uses unsupported, file-scoped textures \
        (texture objects are supported)")),
    (67, c"cudaErrorLaunchFileScopedSurf", Some(c"launch failed because kernel uses unsupported, file-scoped surfaces \
        (surface objects are supported)")),
    (68, c"cudaErrorSyncDepthExceeded", Some(c"cudaDeviceSynchronize failed because caller's grid depth exceeds \
        cudaLimitDevRuntimeSyncDepth")),
    (69, c"cudaErrorLaunchPendingCountExceeded", Some(c"launch failed because launch would exceed \
        cudaLimitDevRuntimePendingLaunchCount")),
    (98, c"cudaErrorInvalidDeviceFunction", Some(c"invalid device function")),
    (100, c"cudaErrorNoDevice", None),
    (101, c"cudaErrorInvalidDevice", None),
    (102, c"cudaErrorDeviceNotLicensed", Some(c"device doesn't have valid Grid license")),
    (103, c"cudaErrorSoftwareValidityNotEstablished", Some(c"integrity checks failed")),
    (127, c"cudaErrorStartupFailure", Some(c"startup failure in cuda runtime")),
    (200, c"cudaErrorInvalidKernelImage", None),
    (201, c"cudaErrorDeviceUninitialized", None),
    (205, c"cudaErrorMapBufferObjectFailed", None),
    (206, c"cudaErrorUnmapBufferObjectFailed", None),
    (207, c"cudaErrorArrayIsMapped", None),
    (208, c"cudaErrorAlreadyMapped", None),
    (209, c"cudaErrorNoKernelImageForDevice", None),
    (210, c"cudaErrorAlreadyAcquired", None),
    (211, c"cudaErrorNotMapped", None),
    (212, c"cudaErrorNotMappedAsArray", None),
    (213, c"cudaErrorNotMappedAsPointer", None),
    (214, c"cudaErrorECCUncorrectable", None),
    (215, c"cudaErrorUnsupportedLimit", None),
    (216, c"cudaErrorDeviceAlreadyInUse", None),
    (217, c"cudaErrorPeerAccessUnsupported", None),
    (218, c"cudaErrorInvalidPtx", None),
    (219, c"cudaErrorInvalidGraphicsContext", None),
    (220, c"cudaErrorNvlinkUncorrectable", None),
    (221, c"cudaErrorJitCompilerNotFound", None),
    (222, c"cudaErrorUnsupportedPtxVersion", None),
    (223, c"cudaErrorJitCompilationDisabled", None),
    (224, c"cudaErrorUnsupportedExecAffinity", None),
    (225, c"cudaErrorUnsupportedDevSideSync", Some(c"the provided PTX contains unsupported call to \
        cudaDeviceSynchronize")),
    (226, c"cudaErrorContained", Some(c"Invalid access of peer GPU memory over nvlink or a hardware error")),
    (300, c"cudaErrorInvalidSource", None),
    (301, c"cudaErrorFileNotFound", None),
    (302, c"cudaErrorSharedObjectSymbolNotFound", None),
    (303, c"cudaErrorSharedObjectInitFailed", None),
    (304, c"cudaErrorOperatingSystem", None),
    (400, c"cudaErrorInvalidResourceHandle", None),
    (401, c"cudaErrorIllegalState", None),
    (402, c"cudaErrorLossyQuery", Some(c"attempted introspection would be semantically lossy")),
    (500, c"cudaErrorSymbolNotFound", None),
    (600, c"cudaErrorNotReady", None),
    (700, c"cudaErrorIllegalAddress", None),
    (701, c"cudaErrorLaunchOutOfResources", None),
    (702, c"cudaErrorLaunchTimeout", None),
    (703, c"cudaErrorLaunchIncompatibleTexturing", None),
    (704, c"cudaErrorPeerAccessAlreadyEnabled", None),
    (705, c"cudaErrorPeerAccessNotEnabled", None),
    (708, c"cudaErrorSetOnActiveProcess", None),
    (709, c"cudaErrorContextIsDestroyed", None),
    (710, c"cudaErrorAssert", None),
    (711, c"cudaErrorTooManyPeers", None),
    (712, c"cudaErrorHostMemoryAlreadyRegistered", None),
    (713, c"cudaErrorHostMemoryNotRegistered", None),
    (714, c"cudaErrorHardwareStackError", None),
    (715, c"cudaErrorIllegalInstruction", None),
    (716, c"cudaErrorMisalignedAddress", None),
    (717, c"cudaErrorInvalidAddressSpace", None),
    (718, c"cudaErrorInvalidPc", None),
    (719, c"cudaErrorLaunchFailure", None),
    (720, c"cudaErrorCooperativeLaunchTooLarge", None),
    (721, c"cudaErrorTensorMemoryLeak", Some(c"tensor memory not completely freed")),
    (800, c"cudaErrorNotPermitted", None),
    (801, c"cudaErrorNotSupported", None),
    (802, c"cudaErrorSystemNotReady", None),
    (803, c"cudaErrorSystemDriverMismatch", None),
    (804, c"cudaErrorCompatNotSupportedOnDevice", None),
    (805, c"cudaErrorMpsConnectionFailed", None),
    (806, c"cudaErrorMpsRpcFailure", None),
    (807, c"cudaErrorMpsServerNotReady", None),
    (808, c"cudaErrorMpsMaxClientsReached", None),
    (809, c"cudaErrorMpsMaxConnectionsReached", None),
    (810, c"cudaErrorMpsClientTerminated", Some(c"the MPS client has been terminated by the server")),
    (811, c"cudaErrorCdpNotSupported", Some(c"is using CUDA Dynamic Parallelism, but the current configuration, like \
        MPS, does not support it")),
    (812, c"cudaErrorCdpVersionMismatch", Some(c"unsupported interaction between different versions of CUDA Dynamic \
        Parallelism")),
    (900, c"cudaErrorStreamCaptureUnsupported", None),
    (901, c"cudaErrorStreamCaptureInvalidated", None),
    (902, c"cudaErrorStreamCaptureMerge", None),
    (903, c"cudaErrorStreamCaptureUnmatched", None),
    (904, c"cudaErrorStreamCaptureUnjoined", None),
    (905, c"cudaErrorStreamCaptureIsolation", None),
    (906, c"cudaErrorStreamCaptureImplicit", None),
    (907, c"cudaErrorCapturedEvent", None),
    (908, c"cudaErrorStreamCaptureWrongThread", None),
    (909, c"cudaErrorTimeout", None),
    (910, c"cudaErrorGraphExecUpdateFailure", None),
    (911, c"cudaErrorExternalDevice", None),
    (912, c"cudaErrorInvalidClusterSize", Some(c"a kernel launch error has occurred due to cluster misconfiguration")),
    (913, c"cudaErrorFunctionNotLoaded", Some(c"the function handle is not loaded when calling an API that requires a \
        loaded function")),
    (914, c"cudaErrorInvalidResourceType", Some(c"one or more resources passed in are not valid resource types for \
        the operation")),
    (915, c"cudaErrorInvalidResourceConfiguration", Some(c"one or more resources are insufficient or non-applicable \
        for the operation")),
    (999, c"cudaErrorUnknown", None),
];

const UNKNOWN: &CStr = c"unrecognized error code";

fn known(code: u32) -> &'static CStr {
    ERRORS.iter().find(|row| row.0 == code).map_or(UNKNOWN, |row| row.1)
}

pub fn name(code: u32) -> *const c_char {
    known(code).as_ptr()
}

/// The same, for a report.
pub fn name_of(code: u32) -> &'static str {
    known(code).to_str().unwrap_or_default()
}

pub fn message(code: u32) -> *const c_char {
    match ERRORS.iter().find(|row| row.0 == code) {
        None => UNKNOWN.as_ptr(),
        Some((_, _, Some(message))) => message.as_ptr(),
        Some(_) => {
            let mut text = null();
            // SAFETY: an out-pointer to a local.
            let found = unsafe { cu::cuGetErrorString(code, &mut text) } == 0 && !text.is_null();
            if found { text } else { UNKNOWN.as_ptr() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_name_and_a_message() {
        for (code, name, _) in ERRORS {
            // SAFETY: text of ours or of the driver's.
            let message = unsafe { CStr::from_ptr(message(*code)) };
            assert!(message != UNKNOWN && !message.is_empty(), "{name:?}");
        }
        // SAFETY: as above.
        let told = [9, 700, 12345].map(|code| unsafe { CStr::from_ptr(message(code)) });
        assert_eq!(
            told,
            [
                c"invalid configuration argument",
                c"an illegal memory access was encountered",
                c"unrecognized error code"
            ]
        );
    }
}
