const HAS_MIN = false;
const ONE_SCALE = true;
const VALUES = vec4<u32>(0xbfad9881u, 0xf6eaddcfu, 0x26190d01u, 0x71594535u);
