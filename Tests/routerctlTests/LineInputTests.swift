import Glibc
import Router
import RouterCommandLine
import Testing

@testable import routerctl

@Suite(.timeLimit(.minutes(10)))
struct LineInputTests {
  @Test func `reads lines one by one, including an unterminated last one`() async throws {
    let pipe = try Pipe()
    defer { close(pipe.readEnd) }
    let input = LineInput(descriptor: pipe.readEnd)
    pipe.writeAll(Array("one\r\n\ntwo".utf8))
    #expect(try await input.line() == "one")
    #expect(try await input.line() == "")
    #expect(try await input.line() == "two")
    await #expect(throws: LineInput.End.self) { try await input.line() }
  }

  @Test func `knows the end of a pipe or file without waiting, and keeps lines`() async throws {
    let pipe = try Pipe()
    defer { close(pipe.readEnd) }
    let input = LineInput(descriptor: pipe.readEnd)
    #expect(!input.isAtEnd)
    pipe.writeAll(Array("one\n".utf8))
    #expect(!input.isAtEnd)
    #expect(try await input.line() == "one")
    #expect(input.isAtEnd)
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(nothing) }
    #expect(LineInput(descriptor: nothing).isAtEnd)
  }

  @Test func `stops waiting when canceled, and keeps the next line`() async throws {
    let pipe = try Pipe()
    defer { close(pipe.readEnd) }
    let input = LineInput(descriptor: pipe.readEnd)
    let waiting = Task { try await input.line() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    pipe.writeAll(Array("one\n".utf8))
    #expect(try await input.line() == "one")
  }

  @Test func `discards type-ahead on a terminal, but not from a pipe`() async throws {
    let pipe = try Pipe()
    defer { close(pipe.readEnd) }
    let input = LineInput(descriptor: pipe.readEnd)
    pipe.writeAll(Array("one\n".utf8))
    input.discard()
    #expect(try await input.line() == "one")

    let terminal = try Terminal()
    defer { terminal.close() }
    let typed = LineInput(descriptor: terminal.screen)
    #expect(typed.isTerminal)
    StandardStream(descriptor: terminal.keyboard).text("early\n")
    typed.discard()
    StandardStream(descriptor: terminal.keyboard).text("late\n")
    #expect(try await typed.line() == "late")
  }

  @Test func `hides the echo of a hidden line, and restores it even when canceled`() async throws {
    let terminal = try Terminal()
    defer { terminal.close() }
    let input = LineInput(descriptor: terminal.screen)
    #expect(terminal.echoes)
    let waiting = Task { try await input.hiddenLine() }
    waiting.cancel()
    _ = try? await waiting.value
    #expect(terminal.echoes)
    let echo = HiddenEcho(descriptor: terminal.screen)
    #expect(!terminal.echoes)
    echo.restore()
    #expect(terminal.echoes)
  }
}

/// A pseudoterminal that a test types into (pty(7)).
private struct Terminal {
  let keyboard: Int32
  let screen: Int32

  init() throws {
    // Swift does not import posix_openpt(3). These are its two calls (ioctl_tty(2)): unlock, and get the number.
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (lock, number): (Int32, Int32) = (0, 0)
    _ = ioctl(keyboard, 0x4004_5431, &lock)
    _ = ioctl(keyboard, 0x8004_5430, &number)
    screen = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(screen >= 0)
  }

  var echoes: Bool {
    var settings = termios()
    tcgetattr(screen, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  func close() {
    Glibc.close(screen)
    Glibc.close(keyboard)
  }
}
