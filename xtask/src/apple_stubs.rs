//! Apple's libraries as a linker wants to see them: where each lies on a Mac, and the names that Tandem takes from it.
//!
//! zig brings those of `libSystem`. These few are enough for the rest, so that a program for Macs can be linked on any machine. A name that is
//! missing here is reported by the linker; one that is wrong would be noticed only when the program starts on a Mac.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Result;

struct Library {
    /// Its stub, below the folder that the linker looks into.
    stub: &'static str,
    install_name: &'static str,
    /// What is taken from it; of some, only classes, which are found by name at run time.
    symbols: &'static str,
}

const LIBRARIES: [Library; 8] = [
    Library {
        stub: "libobjc.tbd",
        install_name: "/usr/lib/libobjc.A.dylib",
        symbols: "class_addIvar class_addMethod class_getInstanceMethod class_getInstanceVariable \
                  class_getName class_getSuperclass class_isMetaClass class_respondsToSelector \
                  ivar_getOffset method_getName method_getTypeEncoding objc_alloc objc_allocateClassPair \
                  objc_autoreleasePoolPop objc_autoreleasePoolPush objc_destroyWeak objc_disposeClassPair \
                  objc_getClass objc_initWeak objc_loadWeakRetained objc_msgSend objc_msgSendSuper \
                  objc_registerClassPair objc_release objc_retain objc_retainAutoreleasedReturnValue \
                  object_getClass sel_getName sel_registerName",
    },
    Library { stub: "libiconv.tbd", install_name: "/usr/lib/libiconv.2.dylib", symbols: "" },
    Library {
        stub: "CoreFoundation.framework/CoreFoundation.tbd",
        install_name: "/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation",
        symbols: "CFArrayCreate CFDataCreate CFDateCreate CFErrorCopyDescription CFErrorGetCode CFRelease \
                  CFStringCreateWithBytes CFStringGetBytes CFStringGetCStringPtr CFStringGetLength \
                  kCFAbsoluteTimeIntervalSince1970 kCFAllocatorDefault kCFTypeArrayCallBacks",
    },
    Library {
        stub: "CoreGraphics.framework/CoreGraphics.tbd",
        install_name: "/System/Library/Frameworks/CoreGraphics.framework/Versions/A/CoreGraphics",
        symbols: "CGColorSpaceCreateWithName kCGColorSpaceDisplayP3 kCGColorSpaceExtendedLinearSRGB \
                  kCGColorSpaceExtendedSRGB",
    },
    Library {
        stub: "Foundation.framework/Foundation.tbd",
        install_name: "/System/Library/Frameworks/Foundation.framework/Versions/C/Foundation",
        symbols: "NSKeyValueChangeNewKey",
    },
    Library {
        stub: "Metal.framework/Metal.tbd",
        install_name: "/System/Library/Frameworks/Metal.framework/Versions/A/Metal",
        symbols: "MTLCopyAllDevices",
    },
    Library {
        stub: "QuartzCore.framework/QuartzCore.tbd",
        install_name: "/System/Library/Frameworks/QuartzCore.framework/Versions/A/QuartzCore",
        symbols: "",
    },
    Library {
        stub: "Security.framework/Security.tbd",
        install_name: "/System/Library/Frameworks/Security.framework/Versions/A/Security",
        symbols: "SecCertificateCopySubjectSummary SecCertificateCreateWithData SecCopyErrorMessageString \
                  SecPolicyCreateSSL SecTrustCreateWithCertificates SecTrustEvaluateWithError \
                  SecTrustSetAnchorCertificates SecTrustSetAnchorCertificatesOnly SecTrustSetOCSPResponse \
                  SecTrustSetVerifyDate",
    },
];

/// Writes the stubs below `folder`, which is to be given to the linker by `-L` and `-F`.
pub fn write(folder: &Path) -> Result<()> {
    for library in &LIBRARIES {
        let path = folder.join(library.stub);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text(library))?;
    }
    Ok(())
}

fn text(library: &Library) -> String {
    let mut text = format!(
        "--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos ]\ninstall-name: '{}'\n",
        library.install_name
    );
    if !library.symbols.is_empty() {
        let symbols: Vec<_> = library.symbols.split(' ').map(|name| format!("'_{name}'")).collect();
        let _ =
            write!(text, "exports:\n  - targets: [ arm64-macos ]\n    symbols: [ {} ]\n", symbols.join(", "));
    }
    text + "...\n"
}
