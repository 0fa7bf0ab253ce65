import Router
import TestSupport
import Testing

@testable import RouterFrontEnds

/// What a program asks for, by its own text.
/// Promise P86.
struct AskedAnswerTests {
  @Test(
    arguments: [
      // git, git-lfs and git-svn.
      ("Username for 'https://h': ", "User name"), ("Username for 'https://h/ada/password.git': ", "User name"),
      ("Username for \"https://h\"", "User name"), ("Username: ", "User name"),
      // PAM, also through ssh.
      ("Verification code: ", "Code"), ("(ada@h) Verification code: ", "Code"),
    ])
  func `shows the answer to a known text as it is typed`(text: String, label: String) {
    let answer = AskedAnswer(to: text)
    #expect(!answer.isSecret && answer.label == label)
  }

  @Test(
    arguments: [
      ("Password for 'https://username@h': ", "Password"), ("Password for \"https://h/username\"", "Password"),
      ("Enter passphrase for /home/u/username: ", "Passphrase"),
      ("Enter passphrase for key '/home/u/login: password': ", "Passphrase"),
      ("Enter PIN for ED25519-SK key /home/u/username: ", "PIN"), ("Enter PIN for 'username': ", "PIN"),
      ("Enter PIN for authenticator: ", "PIN"), ("Bad passphrase, try again for /k: ", "Passphrase"),
      ("Enter same passphrase again: ", "Passphrase"), ("Enter lock password: ", "Password"), ("Again: ", "Answer"),
      ("ada@username's password: ", "Password"), ("(ada@h) Password: ", "Password"), ("(ada@h) Username for PIN: ", "Answer"),
      ("[sudo] password for username: ", "Password"), ("[sudo: authenticate] Password: ", "Password"),
      ("Password:", "Password"),
      ("One-time password: ", "Answer"), ("login: ", "Answer"), ("", "Answer"), ("Benutzername für 'https://h': ", "Answer"),
      // Not git's own words: the quoted part ends early, or goes on.
      ("Username for 'https://h/': Password for 'https://other': ", "Answer"), ("Username for 'a\"b': ", "Answer"),
      ("Username for 'a\r\nb': ", "Answer"), ("Username for 'a'\u{301}: Password for 'b': ", "Answer"),
      ("Username for the password store: ", "Answer"), ("Verification code or password: ", "Answer"),
      ("Say your username: ", "Answer"),
    ])
  func `hides the answer to every other text`(text: String, label: String) {
    let answer = AskedAnswer(to: text)
    #expect(answer.isSecret && answer.label == label, "\(answer)")
  }

  @Test func `no path or name in a program's text decides whether the answer is hidden`() {
    let words = [
      "username", "user name", "password", "passphrase", "login:", "verification code", "PIN", "(yes/no)",
      "(yes/no/[fingerprint])",
      "Username for 'x': ", "'", "\"", ":", "/", " ", "@", "\u{301}", "\r\n", "ä", "Username: ",
    ]
    let texts: [(start: String, end: String, isSecret: Bool)] = [
      ("Username for 'https://h/", "': ", false), ("Password for 'https://h/", "': ", true),
      ("Enter passphrase for ", ": ", true),
      ("Enter passphrase for key '", "': ", true), ("Enter PIN for ED25519-SK key ", ": ", true),
      ("[sudo] password for ", ": ", true),
      ("Bad passphrase, try again for ", ": ", true), ("", "@h's password: ", true),
    ]
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<5000 {
      let name = (0..<(1 + random.below(4))).map { _ in words[random.below(words.count)] }.joined()
      for (start, end, isSecret) in texts where !start.isEmpty || !name.hasPrefix("Username") {
        let question = Askpass.Question(start + name + end, hint: nil)
        guard case .line(_, let answer) = question else {
          Issue.record("\(question), ROUTER_SEED=\(seed)")
          continue
        }
        // A name that closes the quotation is never git's.
        let isKnown = !isSecret && !name.contains { "'\"\r\n".unicodeScalars.contains($0.unicodeScalars.first!) }
        #expect(answer.isSecret || isKnown, "\(start + name + end), ROUTER_SEED=\(seed)")
      }
    }
  }

  @Test(
    arguments: [
      ("Password for 'https://hunter2@h': ", "Password for 'https://…@h': "),
      ("Password for 'https://hunter2%40x@h:8080/a@b': ", "Password for 'https://…@h:8080/a@b': "),
      ("Password for \"https://hunter2@h\"", "Password for \"https://…@h\""),
      ("Passwort für https://a@hunter2@\u{301}h?", "Passwort für https://…@\u{301}h?"),
      ("ssh://ada@h and https://hunter2@h", "ssh://ada@h and https://…@h"), ("https://ada@other", "https://…@other"),
      ("://hunter2@h", "://…@h"), ("https://h/x@y", "https://h/x@y"), ("ada@h's password: ", "ada@h's password: "), ("", ""),
    ])
  func `leaves out an address's user unless the command line has it`(text: String, shown: String) {
    let words = ["git-remote-https", "ssh://ada@h/r.git", "https://adam@other", "Password for 'https://hunter2@h': "]
    #expect(text.withoutUsers(exceptIn: words.map { Array($0.utf8) }) == shown)
  }
}
