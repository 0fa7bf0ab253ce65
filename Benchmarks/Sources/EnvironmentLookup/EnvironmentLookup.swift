@testable import Router

/// Measures reading a value from the environment; see README.md.
@main
struct EnvironmentLookup {
  static let iterations = 200_000
  static let rounds = 31

  /// A measured operation: runs `count` times, and returns a value that depends on all runs.
  struct Subject {
    let name: String
    let run: (Int) -> Int
  }

  static func main() throws {
    let broker = NoBroker()
    let screen = Screen()
    let path = \EnvironmentValues.number
    let subjects = [
      Subject(name: "a bare task local") { count in sum(count) { Bare.number } },
      Subject(name: "a table by key, of our own") { count in sum(count) { Table.carried.number } },
      Subject(name: "EnvironmentValues.current.number") { count in sum(count) { EnvironmentValues.current.number } },
      Subject(name: "EnvironmentValues.current[keyPath:]") { count in sum(count) { EnvironmentValues.current[keyPath: path] } },
      Subject(name: "@Environment(\\.number)") { count in sum(count) { screen.number } },
      Subject(name: "@Environment(\\.showSheet)") { count in sum(count) { use(screen.showSheet) } },
      Subject(name: "@Environment(\\.dismiss)") { count in sum(count) { use(screen.dismiss) } },
    ]
    var times: [[Double]] = Array(repeating: [], count: subjects.count)
    withEnvironment {
      $0.number = 11
      $0.name = "somebody"
      $0.flag = true
      $0.presentationBroker = broker
    } operation: {
      Bare.$number.withValue(11) {
        var table = Table()
        table.number = 11
        Table.$carried.withValue(table) {
          // Side by side in each round, so that other load on the machine affects all of them.
          for round in 0...rounds {
            for (index, subject) in subjects.enumerated() {
              let start = ContinuousClock.now
              blackHole(subject.run(iterations))
              // The first round warms up.
              if round > 0 { times[index].append((ContinuousClock.now - start) / .nanoseconds(1) / Double(iterations)) }
            }
          }
        }
      }
    }
    let medians = times.map { $0.sorted()[$0.count / 2] }
    print("median of \(rounds) rounds of \(iterations), in nanoseconds a read, and as a multiple of the first")
    for (subject, median) in zip(subjects, medians) {
      print("\(format(median)) ns  \(format(median / medians[0])) x  \(subject.name)")
    }
  }

  private static func sum(_ count: Int, _ read: () -> Int) -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= read() }
    return sum
  }

  /// Formats a value with one decimal, right-aligned.
  private static func format(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let text = "\(tenths / 10).\(tenths % 10)"
    return String(repeating: " ", count: max(0, 7 - text.count)) + text
  }
}

/// Keeps the optimizer from removing the computation of a value.
@inline(never) func blackHole<Value>(_ value: Value) {}

@inline(never) func use<Action>(_ action: Action) -> Int { 1 }

/// A broker that does nothing, to be looked up.
struct NoBroker: PresentationBroker {
  func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    PresentationHandle(withdraw: {})
  }

  func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    PresenterAttachment(
      events: AsyncThrowingStream { $0.finish() },
      respond: { _, _, _ in throw RouterError(.notFound, "cannot respond: nothing is shown here") },
      fail: { _, _, _ in throw RouterError(.notFound, "cannot fail: nothing is shown here") })
  }
}
