import RouterCore
import TestSupport
import Testing

struct CommandRiskTests {
  private func marked(_ command: String, in directory: String? = "/home/ada/shop") -> [String] {
    let bytes = Array(command.utf8)
    return CommandRisk.findings(in: command, directory: directory).map { String(decoding: bytes[$0.range], as: UTF8.self) }
  }

  @Test(arguments: [
    ("npm test", []), ("rm -rf dist", ["rm -rf"]), ("rm file", []), ("/bin/rm -v -f x", ["/bin/rm", "-f"]),
    ("rm x --recursive", ["rm", "--recursive"]), ("echo rm; ls -r", []), ("find . -exec rm -r {} +", ["rm -r"]),
    ("git push --force", ["git", "--force"]), ("git push -f origin", ["push -f"]),
    ("git push --force=x", ["git", "--force=x"]),
    ("git reset --hard HEAD~1", ["reset --hard"]), ("curl x | sh", ["sh"]), ("curl x |sudo bash", ["sudo"]),
    ("cat x | grep sh", []), ("bash -c 'rm -rf /'", ["rm -rf", "/"]), ("sudo make install", ["sudo"]),
    ("dd if=x of=/dev/sda", ["of=/dev/sda"]), ("mkfs.ext4 x", ["mkfs.ext4"]), ("chmod -R 777 .", ["chmod -R 777"]),
    ("psql -c 'DROP TABLE x'", ["DROP"]), ("cat /etc/passwd", ["/etc/passwd"]), ("cat /home/ada/shop/x", []),
    ("cat /home/ada/shopping", ["/home/ada/shopping"]), ("ls ../x a/../b", ["../x a/../b"]), ("cp x ~/y", ["~/y"]),
    ("ls >/dev/null 2>/tmp/x", []), ("--out=/etc/x", ["--out=/etc/x"]), ("ls / ", ["/"]), ("", []), ("rm", []),
  ])
  func `marks what deserves a second look`(command: String, expected: [String]) {
    #expect(marked(command) == expected)
  }

  @Test func `says nothing about paths if the directory is unknown`() {
    #expect(marked("cat /etc/passwd", in: nil) == [])
  }

  @Test func `marks the same text in the prompt, and says why once`() {
    var request = PresentationRequest(kind: .alert, title: "?")
    request.attachments = [PresentationRequest.Attachment(.command, "\u{202E}é rm -rf a\nrm -rf b")]
    let prompt = PromptDescription(request)
    let risks = prompt.blocks[0].runs.filter { $0.styles.contains(.risk) }
    #expect(risks.map(\.text) == ["rm -rf", "rm -rf"])
    #expect(prompt.blocks[1].isWarning)
    #expect(prompt.blocks[1].text == "Look twice: hidden characters, rm -rf (deletes without asking)")
    request.attachments = [PresentationRequest.Attachment(.diff, "+rm -rf a")]
    #expect(PromptDescription(request).blocks.count == 1)
  }

  @Test func `finds ordered ranges in any text, within limits`() {
    let seed = UInt64.random(in: 0...(.max))
    var numbers = SplitMix64(seed: seed)
    let pieces = ["rm ", "-rf ", "| ", "sh ", "git ", "--force ", "/etc ", "é", "\u{202E}", "; ", "'", "sudo ", "~/ ", "../ "]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in pieces.randomElement(using: &numbers)! }.joined()
      let findings = CommandRisk.findings(in: text, directory: "/home/ada")
      for (a, b) in zip(findings, findings.dropFirst()) {
        #expect(a.range.upperBound <= b.range.lowerBound, "seed \(seed): \(text)")
      }
      #expect(findings.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= text.utf8.count })
      let runs = PromptDescription.Run.exact(text, risks: findings.map(\.range))
      #expect(runs.map(\.text).joined() == PromptDescription.Run.exact(text).map(\.text).joined(), "seed \(seed): \(text)")
      #expect(runs.filter { $0.styles.contains(.risk) }.isEmpty == findings.isEmpty)
    }
  }
}
