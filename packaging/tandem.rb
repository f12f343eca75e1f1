class Tandem < Formula
  desc "Several computers, one large language model"
  homepage "@URL@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    depends_on arch: :arm64
    url "@URL@/tandem-@VERSION@-aarch64-apple-darwin.tar.gz"
    sha256 "@aarch64-apple-darwin@"
  end

  on_linux do
    on_intel do
      url "@URL@/tandem-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@x86_64-unknown-linux-gnu@"
    end
    on_arm do
      url "@URL@/tandem-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@aarch64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "tandem"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/tandem"
    zsh_completion.install "completions/_tandem"
    fish_completion.install "completions/tandem.fish"
  end

  service do
    run [opt_bin/"tandem", "up"]
    keep_alive successful_exit: false
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tandem --version")
  end
end
