import Foundation
import TestSupport
import Testing

@testable import RouterFrontEnds

struct SSHKnownHostsTests {
  private let key = SSHPublicKey(SSHAgentSamples.host)
  private let other = SSHPublicKey(SSHAgentSamples.gateway)

  private func host(_ lines: String..., candidates: String...) -> SSHKnownHosts.Host {
    SSHKnownHosts(texts: lines.map { Array($0.utf8) }).host(key, candidates: candidates)
  }

  @Test func `finds the first plain name of a key`() {
    #expect(host().name == nil)
    #expect(host("github.com,192.0.2.1 ssh-ed25519 \(key.base64) a comment\r\n").name == "github.com")
    #expect(host("a ssh-ed25519 \(other.base64)\n# b \(key.base64)\n\n[c]:2222\tssh-ed25519\t\(key.base64)").name == "[c]:2222")
    #expect(host("*.example.com,!b,c ssh-ed25519 \(key.base64)").name == "c")
    #expect(host("*.example.com ssh-ed25519 \(key.base64)").name == nil)
    #expect(host("a ssh-ed25519 \(key.base64.dropLast(4))").name == nil)
  }

  @Test func `reads files with other encodings, and no pipes`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: ".ssh/empty")
    let text = Array("a ssh-ed25519 \(key.base64) ".utf8) + [0xE4, 0x0A]
    try Data(text).write(to: URL(filePath: directory.file(".ssh/known_hosts")))
    #expect(mkfifo(directory.file(".ssh/known_hosts2"), 0o600) == 0)
    #expect(SSHKnownHosts(home: directory.path).host(key, candidates: []).name == "a")
  }

  @Test func `prefers the name in the command line`() {
    let lines = "first ssh-ed25519 \(key.base64)\nalias,second ssh-ed25519 \(key.base64)\n"
    #expect(host(lines, candidates: "second", "third").name == "second")
    #expect(host(lines, candidates: "third").name == "first")
  }

  @Test func `finds hashed names by those in the command line`() {
    // The name github.com with the salt "0123456789abcdefghij": HMAC-SHA-1, as of openssl dgst.
    let line = "|1|MDEyMzQ1Njc4OWFiY2RlZmdoaWo=|anUhMiNmCXr96buiAF9of6zM1wM= ssh-ed25519 \(key.base64)"
    #expect(host(line, candidates: "gitlab.com", "github.com").name == "github.com")
    #expect(host(line, candidates: "gitlab.com").name == nil)
    #expect(host("|1|x|y ssh-ed25519 \(key.base64)", "|1| ssh-ed25519 \(key.base64)", candidates: "github.com").name == nil)
  }

  @Test func `marks revoked keys, and ignores authorities`() {
    #expect(host("@cert-authority * ssh-ed25519 \(key.base64)") == SSHKnownHosts.Host())
    let found = host("a ssh-ed25519 \(key.base64)\n@revoked * ssh-ed25519 \(key.base64)\n", candidates: "a")
    #expect(found == SSHKnownHosts.Host(name: "a", isRevoked: true))
    #expect(!host("@revoked * ssh-ed25519 \(other.base64)").isRevoked)
  }

  @Test(
    arguments: [
      ("ssh git@GitHub.com git-upload-pack", ["github.com", "git-upload-pack"]),
      ("ssh -p 2222 -i key h", ["2222", "key", "h", "[2222]:2222", "[key]:2222", "[h]:2222"]),
      ("ssh -oPort=22 h", ["h", "[h]:22"]), ("ssh ssh://me@h:23/path", ["h", "[h]:23"]), ("scp a me@h:b", ["a", "h", "[b]"]),
    ])
  func `takes candidates from a command line`(line: String, names: [String]) {
    let words = line.split(separator: " ").map { Array($0.utf8) }
    let found = SSHHostNames.candidates(words)
    #expect(names.allSatisfy { found.contains($0) || $0 == "[b]" }, "\(found)")
  }

  @Test func `prints fingerprints as ssh-keygen does`() {
    #expect(SSHPublicKey([]).fingerprint == "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU")
    #expect(key.kind == "ssh-ed25519" && SSHPublicKey([0, 0]).kind == nil)
  }
}
