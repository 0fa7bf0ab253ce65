import Glibc
import OrderedCollections
import Router
import Testing

@testable import RouterFrontEnds
@testable import routerctl

struct AskPasswordFileTests {
  @Test func `parses a file written by systemd`() throws {
    let file = try AskPasswordFile(
      """
      [Ask]
      PID=4711
      Socket=/run/systemd/ask-password/sck.1
      AcceptCached=0
      Echo=0
      NotAfter=123456
      Silent=0
      Message=Please enter passphrase for disk x=y:
      Icon=drive-harddisk
      Id=cryptsetup:/dev/sda2
      """)
    #expect(file.pid == 4711)
    #expect(file.socket == "/run/systemd/ask-password/sck.1")
    #expect(!file.echo)
    #expect(file.notAfter == 123_456)
    #expect(file.message == "Please enter passphrase for disk x=y:")
    #expect(file.id == "cryptsetup:/dev/sda2")
  }

  @Test func `requires only the socket, and ignores unknown keys and sections`() throws {
    let file = try AskPasswordFile(
      "; x\n[Other]\nSocket=relative\n[Ask]\n# y\nSocket=/s\nNotAfter=0\nNew=1\nNew=2\nNew3\nEcho=yes")
    #expect(file.socket == "/s")
    #expect(file.notAfter == nil && file.pid == nil && file.message == nil)
    #expect(file.echo)
  }

  @Test(arguments: [
    "", "Socket=/s", "[Ask]\nSocket=", "[Ask]\nSocket=s", "[Ask]\nSocket=/s\nSocket=/t", "[Ask]\nSocket=/s\nPID=x",
    "[Ask]\nSocket=/s\nPID=-1", "[Ask]\nSocket=/s\nPID=0", "[Ask]\nSocket=/s\nNotAfter=soon", "[Ask]\nSocket=/s\nNotAfter=-1",
    "[Ask]\nSocket=/s\nEcho=perhaps", "[ask]\nSocket=/s", "[Ask]\nSocket=/s\nMessage=x\nSocket=/t",
  ])
  func `refuses a malformed file`(text: String) {
    #expect(throws: AskPasswordFile.Malformed.self) { try AskPasswordFile(text) }
  }

  @Test func `expires the prompt with the question, and marks it sensitive`() throws {
    var file = try AskPasswordFile("[Ask]\nSocket=/s\nNotAfter=3000000\nMessage=For the disk:\nId=cryptsetup:/dev/x")
    let request = try #require(file.request(surface: "desk", now: 1_000_000))
    #expect(request.timeout == .seconds(2))
    #expect(request.title == "For the disk:")
    #expect(request.app == "cryptsetup")
    #expect(request.metadata["id"] == "cryptsetup:/dev/x")
    #expect(request.surface == "desk")
    #expect(request.sensitive)
    #expect(request.schema?.hasSecret == true)
    #expect(file.request(surface: "desk", now: 3_000_000) == nil)
    file.notAfter = nil
    file.echo = true
    let visible = try #require(file.request(surface: "main", now: 3_000_000))
    #expect(visible.timeout == nil)
    #expect(visible.sensitive)
    #expect(visible.schema?.hasSecret == false)
  }

  @Test(arguments: [
    "\u{1B}[2J", "\u{202E}x", "\u{7}", "", " ", String(repeating: "x", count: 60_000),
  ])
  func `makes a valid request from hostile text`(text: String) throws {
    let file = try AskPasswordFile("[Ask]\nSocket=/s\nMessage=\(text)\nId=\(text)")
    let request = try #require(file.request(surface: "main", now: 0))
    _ = try PresentationRequest(json: request.json)
    #expect(request.app?.isEmpty == false)
  }

  @Test func `skips a question whose process has ended`() throws {
    var file = try AskPasswordFile("[Ask]\nSocket=/s")
    #expect(file.isAsked)
    file.pid = getpid()
    #expect(file.isAsked)
    // No process has Linux's largest id.
    file.pid = 1 << 22
    #expect(!file.isAsked)
  }
}
