import Foundation
import Router
import RouterTesting
import TestSupport
import Testing

/// Programs, scripts, interpreters and directories that an attacker of the same user swaps and edits while a prompt is shown, and
/// while the command starts.
/// Promise P48.
@Suite(.timeLimit(.minutes(10)))
struct RunAttackTests {
  private static let attacks = TestSeed.count("ROUTER_RUN_ATTACKS", otherwise: 30)

  private enum Target: CaseIterable {
    case program, script, interpreter
  }

  private enum Attack: CaseIterable {
    case rename, edit, append, truncate, replaceDirectory, link
    /// Swaps the file with an evil one, or its content, until the command has ended.
    case swapping, editing
    case none

    var isRace: Bool { self == .swapping || self == .editing }
  }

  private final class Flag: Sendable {
    let value = Mutex(false)
  }

  /// A directory with a program that prints `shown`, and one that prints `evil`.
  private struct Victim {
    let directory: String
    let command: [String]
    /// The file to attack.
    let target: String
    let good: [UInt8]
    let evil: [UInt8]

    init(_ target: Target, in files: TemporaryDirectory, _ number: Int) throws {
      let directory = files.file("\(number)")
      let shell = [UInt8](try Data(contentsOf: URL(filePath: "/bin/sh")))
      func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: directory + "/" + name))
        chmod(directory + "/" + name, 0o755)
      }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let tool = directory + "/tool"
      self.directory = directory
      evil = Array("#!/bin/sh\necho evil\n".utf8)
      switch target {
      case .program:
        try write(shell, to: "tool")
        (command, self.target) = ([tool, "-c", "echo shown"], tool)
      case .script:
        try write(Array("#!/bin/sh\necho shown\n".utf8), to: "tool")
        (command, self.target) = ([tool], tool)
      case .interpreter:
        try write(shell, to: "shell")
        try write(Array("#!\(directory)/shell\necho shown\n".utf8), to: "tool")
        (command, self.target) = ([tool], directory + "/shell")
      }
      good = [UInt8](try Data(contentsOf: URL(filePath: self.target)))
      try write(evil, to: "evil")
      link(self.target, directory + "/good")
    }

    /// Attacks once.
    func perform(_ attack: Attack) throws {
      switch attack {
      case .rename: #expect(Glibc.rename(directory + "/evil", target) == 0)
      case .edit: overwrite(O_WRONLY, evil)
      case .append: overwrite(O_WRONLY | O_APPEND, Array("\necho evil\n".utf8))
      case .truncate: overwrite(O_WRONLY | O_TRUNC, evil)
      case .replaceDirectory:
        #expect(Glibc.rename(directory, directory + ".old") == 0)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data(evil).write(to: URL(filePath: target))
        chmod(target, 0o755)
      case .link:
        #expect(Glibc.rename(target, directory + "/aside") == 0 && symlink(directory + "/evil", target) == 0)
      case .swapping, .editing, .none: break
      }
    }

    /// Attacks until `isOver`. Opening for writing fails at once where it would wait.
    func race(_ attack: Attack, until isOver: Flag) {
      while !isOver.value.withLock(\.self) {
        for (name, bytes) in [("evil", evil), ("good", good)] {
          if attack == .swapping {
            link(directory + "/" + name, directory + "/next")
            Glibc.rename(directory + "/next", target)
          } else {
            overwrite(O_WRONLY | O_NONBLOCK | O_TRUNC, bytes)
          }
        }
      }
    }

    private func overwrite(_ flags: CInt, _ bytes: [UInt8]) {
      let file = open(target, flags | O_CLOEXEC)
      guard file >= 0 else { return }
      bytes.withUnsafeBytes { _ = Descriptors.writeAll(file, $0) }
      close(file)
    }
  }

  @Test func `runs nothing but what was shown`() async throws {
    var generator = SplitMix64(seed: TestSeed.make())
    try await RunScene.run { scene in
      var (ran, refused) = (0, 0)
      for number in 0..<Self.attacks {
        let target = try #require(Target.allCases.randomElement(using: &generator))
        let attack = try #require(Attack.allCases.randomElement(using: &generator))
        let victim = try Victim(target, in: scene.files, number)
        let process = try scene.start(victim.command, options: ["--quiet"])
        let isOver = Flag()
        var racing: Task<Void, Never>?
        _ = try await scene.answer { _ in
          try victim.perform(attack)
          if attack.isRace { racing = Task.detached { victim.race(attack, until: isOver) } }
        }
        let status = await process.exitStatus()
        isOver.value.withLock { $0 = true }
        await racing?.value
        let output = await process.allOutput()
        #expect([0, 119].contains(status), "\(target) \(attack) \(number): \(process.printed)")
        #expect(output == (status == 0 ? ["shown"] : []), "\(target) \(attack) \(number)")
        #expect((attack == .none) == (status == 0) || attack.isRace, "\(target) \(attack) \(number): \(status)")
        if status == 0 { ran += 1 } else { refused += 1 }
      }
      print("\(Self.attacks) attacks: \(ran) ran what was shown, \(refused) ran nothing")
    }
  }
}
