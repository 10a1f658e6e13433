# The formula of the tap indelible-memory/tap. scripts/release_files.py fills in the version and the digest of the source
# archive of a release. Its dependencies come as wheels: several, such as onnxruntime, are not built from source by pip.
class Indelible < Formula
  desc "Long-term memory for AI coding agents: what was acknowledged is never lost"
  homepage "https://github.com/indelible-memory/indelible"
  url "https://github.com/indelible-memory/indelible/releases/download/v@VERSION@/indelible-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "python@3.13"

  def install
    system "python3.13", "-m", "venv", libexec
    system libexec/"bin/python", "-m", "pip", "install", "--no-compile", buildpath
    bin.install_symlink libexec/"bin/indelible"
  end

  test do
    ENV["INDELIBLE_DATA"] = testpath/"memory"
    system bin/"indelible", "remember", "Deploys go out on Tuesdays"
    assert_match "Tuesdays", shell_output("#{bin}/indelible recall deploys")
  end
end
