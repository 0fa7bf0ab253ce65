import Testing

@testable import Router

/// Work is done in turns, on whichever thread brings it.
@Suite(.timeLimit(.minutes(20)))
struct TurnExecutorTests {
  /// An actor that runs in turns. What it keeps is not guarded by anything else.
  private actor Counter {
    private nonisolated let executor = TurnExecutor()
    private(set) var order: [Int] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func add(_ number: Int) { order.append(number) }

    nonisolated func send(_ number: Int) {
      executor.perform { self.assumeIsolated { $0.order.append(number) } }
    }
  }

  /// One whose beginning fails, in the last work that its executor has.
  private actor Stillborn {
    struct Failure: Error {}

    private nonisolated let executor = TurnExecutor()
    private var value = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(yields: Bool) async throws {
      if yields { await Task.yield() }
      value = 1
      throw Failure()
    }
  }

  @Test func `what one brings is done before it goes on, and in its order`() async {
    let counter = Counter()
    for number in 0..<100 { counter.send(number) }
    #expect(await counter.order == Array(0..<100))
  }

  @Test func `what work leaves is done after it`() async {
    let executor = TurnExecutor()
    let order = Mutex<[String]>([])
    executor.perform {
      executor.perform { order.withLock { $0.append("second") } }
      order.withLock { $0.append("first") }
    }
    #expect(order.withLock(\.self) == ["first", "second"])
  }

  @Test func `one at a time, whoever comes, and each in the order of who brings it`() async {
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<8 {
        group.addTask {
          for number in 0..<500 {
            let entry = sender * 1000 + number
            if number.isMultiple(of: 3) { await counter.add(entry) } else { counter.send(entry) }
          }
        }
      }
    }
    // A last turn comes after all that was left.
    await counter.add(-1)
    let order = await counter.order
    #expect(order.count == 8 * 500 + 1)
    for sender in 0..<8 {
      #expect(order.filter { $0 >= 0 && $0 / 1000 == sender } == (0..<500).map { sender * 1000 + $0 })
    }
  }

  @Test func `an actor whose beginning fails takes its executor along`() async {
    for number in 0..<200 {
      await #expect(throws: Stillborn.Failure.self) { try await Stillborn(yields: number.isMultiple(of: 2)) }
    }
  }
}
