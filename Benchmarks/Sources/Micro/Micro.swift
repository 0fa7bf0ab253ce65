import Foundation

@testable import Router
@testable import RouterCore
@testable import RouterSystem

/// Measures each step of a presentation against a yardstick in the same rounds; see README.md.
@main
struct Micro {
  static let rounds = 15

  /// A measured operation, run `count` times.
  struct Subject {
    let name: String
    let count: Int
    let run: (Int) async throws -> Void
  }

  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    let options = words.filter { $0.hasPrefix("-") }
    guard options.allSatisfy({ $0 == "--check" }) else {
      print("usage: Micro [--check] [PART-OF-A-NAME ...]")
      exit(64)
    }
    let parts = words.filter { !$0.hasPrefix("-") }
    let yardstick = Self.yardstick
    let all = try await Rules.subjects() + Texts.subjects + Records.subjects() + InProcess.subjects()
    let subjects = [yardstick] + all.filter { subject in parts.isEmpty || parts.contains { subject.name.contains($0) } }
    var times: [[Double]] = Array(repeating: [], count: subjects.count)
    // Side by side in each round, so that other load on the machine affects all of them.
    for round in 0...rounds {
      for (index, subject) in subjects.enumerated() {
        let start = ContinuousClock.now
        try await subject.run(subject.count)
        // The first round warms up.
        if round > 0 { times[index].append((ContinuousClock.now - start) / .nanoseconds(1) / Double(subject.count)) }
      }
    }
    let medians = times.map { $0.sorted()[$0.count / 2] }
    let limits = try JSONDecoder().decode([String: Double].self, from: Data(contentsOf: limitsFile))
    var failed: [String] = []
    print("medians of \(rounds) rounds: microseconds, as a multiple of the first, and the most that it may be")
    for (subject, median) in zip(subjects, medians) {
      let (multiple, limit) = (median / medians[0], limits[subject.name])
      let columns = [
        String(format: "%9.2f", median / 1000), String(format: "%8.2f", multiple),
        limit.map { String(format: "%6.2f", $0) } ?? "     -",
      ]
      print(columns.joined(separator: " "), " ", subject.name)
      if subject.name != yardstick.name, multiple > limit ?? 0 { failed.append(subject.name) }
    }
    guard options.isEmpty || failed.isEmpty else {
      print("too slow, or without a limit in limits.json: \(failed.joined(separator: ", "))")
      exit(1)
    }
  }

  private static var limitsFile: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "limits.json")
  }

  /// The unit of all results: a hundred strings into and out of a dictionary, which is hashing, memory and reference counting.
  static var yardstick: Subject {
    Subject(name: "yardstick: a hundred texts in a dictionary", count: 500) { count in
      for turn in 0..<count {
        var table: [String: Int] = [:]
        for number in 0..<100 { table["the text with the number \(number)"] = turn }
        blackHole(table.values.reduce(0, +))
      }
    }
  }
}

/// Keeps the optimizer from removing the computation of a value.
@inline(never) func blackHole<Value>(_ value: Value) {}

/// The sample request.
enum Sample {
  static let request = PresentationRequest(
    kind: .alert, title: "Deploy release 1.4.2 to production?", message: "42 commits since the last release.",
    buttons: [
      PresentationRequest.Button(id: "yes", label: "Deploy", role: .destructive),
      PresentationRequest.Button(id: "no", label: "Not now", role: .cancel),
    ],
    app: "deploy", surface: "main")

  static func presentation(_ id: PresentationID) -> Presentation {
    let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 42, executable: "/usr/bin/deploy")
    return Presentation(
      id: id, requester: Presentation.Requester(app: "deploy", process: process), request: request,
      requestedAt: PresentationClock.system.wall())
  }
}
