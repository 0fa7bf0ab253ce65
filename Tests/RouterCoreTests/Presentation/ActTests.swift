import RouterCore
import TestSupport
import Testing

// Promise P56.
struct ActTests {
  @Test(
    arguments: [
      ("git log", ["git", "log"], true), (" git  log ", ["git", "log"], true),
      ("git 'a b' \"c\" ''", ["git", "a b", "c", ""], true),
      ("git log", ["git"], false), ("git", ["git", "log"], false), ("git log", ["git log"], false), ("", [""], false),
      ("ls $(reboot)", ["ls", "$(reboot)"], false), ("ls *", ["ls", "*"], false), ("ls\n", ["ls"], false),
      ("ls\r\n", ["ls"], false),
      ("ls #x", ["ls"], false), ("A=1 ls", ["A=1", "ls"], false), ("time ls", ["time", "ls"], false), ("~/x", ["~/x"], false),
      ("'caf\u{E9}'", ["cafe\u{301}"], false), ("'caf\u{E9}'", ["caf\u{E9}"], true),
    ] as [(String, [String], Bool)])
  func `has an object that is its arguments, byte for byte`(object: String, arguments: [String], isConsistent: Bool) {
    #expect(Act("run", object: object, arguments: arguments).isConsistent == isConsistent)
  }

  @Test func `has no other arguments than the words of its object, however they are changed`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    let letters = "ab-/ .=:@,\u{E9}".unicodeScalars.map { String($0) }
    for _ in 0..<2000 {
      let words = (0...random.below(4)).map { index in
        (index == 0 ? "x" : "") + (0..<random.below(5)).map { _ in random.pick(letters) }.joined()
      }
      let object = words.map { "'\($0)'" }.joined(separator: random.chance(50) ? " " : "  ")
      let isPlain = !words[0].contains("=")
      #expect(Act("run", object: object, arguments: words).isConsistent == isPlain, "seed \(seed): \(words)")
      var others = words
      let place = random.below(others.count)
      switch random.below(3) {
      case 0: others.remove(at: place)
      case 1: others.insert("", at: place)
      default: others[place] += "a"
      }
      #expect(!Act("run", object: object, arguments: others).isConsistent, "seed \(seed): \(words), \(others)")
    }
  }

  @Test func `lists show what will run`() {
    var request = PresentationRequest(kind: .alert, title: "Go on?")
    request.attachments = [PresentationRequest.Attachment(.command, "ls")]
    request.act = Act("run", arguments: ["rm", "-rf", "/"])
    #expect(PresentationSummary(request).command == "rm -rf /")
    // As recorded by an earlier version.
    request.act?.object = "git log"
    #expect(PresentationSummary(request).command == "rm -rf /")
    #expect(request.act?.summary == "run rm -rf /")
    request.act = Act("run", object: "git push 'origin'", arguments: ["git", "push", "origin"])
    #expect(PresentationSummary(request).command == "git push 'origin'")
  }
}
