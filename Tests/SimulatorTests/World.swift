import DequeModule
import HeapModule
import Router
import RouterSystem
import TestSupport

/// Time, chance and threads. Everything runs on the thread of ``run(until:)``, one job at a time, in the order of a seed.
final class World: @unchecked Sendable {
  /// A job that waits for a time.
  private struct Timer: Comparable {
    let time: Duration
    let number: Int

    static func < (left: Timer, right: Timer) -> Bool { (left.time, left.number) < (right.time, right.number) }
    static func == (left: Timer, right: Timer) -> Bool { left.number == right.number }
  }

  /// Something that has work to do, such as a thread or a connection.
  protocol Actor: AnyObject {
    var isReady: Bool { get }
    func step()
  }

  /// Something that looks for work after the jobs of others.
  protocol Watcher: AnyObject {
    func jobDone()
    func timePassed(_ now: Duration)
  }

  var random: SplitMix64
  private(set) var now = Duration.seconds(86_400)
  /// The difference of the wall clock, which people set.
  var wallOffset = Duration.zero
  private var timers = Heap<Timer>()
  private var bodies: [Int: () -> Void] = [:]
  private var lastNumber = 0
  private(set) var actors: [any Actor] = []
  /// A digest of every step, in order (FNV-1a).
  private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325
  /// What must learn of every job, and of the time.
  private var watchers: [any Watcher] = []
  private(set) var violations: [String] = []
  /// What happened, for a failure.
  private(set) var story: [String] = []
  var keepsStory = false
  /// The number of threads that start before one that does not; `nil` if all do.
  var threadsLeft: Int?

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  func violate(_ text: @autoclosure () -> String) {
    if violations.count < 10 { violations.append("at \(now): " + text()) }
  }

  func tell(_ text: @autoclosure () -> String) {
    if keepsStory { story.append("\(now) \(text())") }
  }

  func note(_ value: some FixedWidthInteger) {
    trace = (trace ^ UInt64(truncatingIfNeeded: value)) &* 0x100_0000_01B3
  }

  // MARK: Time

  var clock: PresentationClock {
    PresentationClock(now: { self.now }, wall: { self.wall }, sleep: { try await self.sleep(until: $0) })
  }

  var wall: Timestamp { Timestamp(milliseconds: 1_790_000_000_000).advanced(by: now + wallOffset) }

  @discardableResult
  func after(_ delay: Duration, _ body: @escaping () -> Void) -> Int {
    lastNumber += 1
    timers.insert(Timer(time: now + delay, number: lastNumber))
    bodies[lastNumber] = body
    return lastNumber
  }

  func cancel(_ timer: Int) { bodies[timer] = nil }

  private func sleep(until time: Duration) async throws {
    final class Sleeper: @unchecked Sendable {
      var continuation: UnsafeContinuation<Void, any Error>?
      var timer: Int?

      func end(_ result: Result<Void, any Error>) {
        continuation?.resume(with: result)
        continuation = nil
      }
    }
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        sleeper.continuation = continuation
        guard !Task.isCancelled else { return sleeper.end(.failure(CancellationError())) }
        sleeper.timer = self.after(time - self.now) { sleeper.end(.success(())) }
      }
    } onCancel: {
      if let timer = sleeper.timer { self.cancel(timer) }
      sleeper.end(.failure(CancellationError()))
    }
  }

  /// Moves the time forward, and fires what is due.
  private func advance(to time: Duration) {
    now = max(now, time)
    for watcher in watchers { watcher.timePassed(now) }
    while let timer = timers.min, timer.time <= now {
      timers.removeMin()
      bodies.removeValue(forKey: timer.number)?()
    }
  }

  /// Forgets what waits, which refers to everything else.
  func close() { (timers, bodies, actors, watchers) = (Heap(), [:], [], []) }

  // MARK: Running

  /// Starts a thread.
  func startThread() throws(RouterError) -> SimulatedThread {
    if let left = threadsLeft {
      threadsLeft = left == 0 ? nil : left - 1
      guard left > 0 else { throw RouterError(.shuttingDown, "cannot start a thread") }
    }
    let thread = SimulatedThread()
    add(thread)
    return thread
  }

  func add(_ actor: any Actor) { actors.append(actor) }

  func remove(_ actor: any Actor) { actors.removeAll { $0 === actor } }

  func add(_ watcher: any Watcher) { watchers.append(watcher) }

  func remove(_ watcher: any Watcher) { watchers.removeAll { $0 === watcher } }

  /// Runs jobs, in a random order and with time passing in between, until a condition holds.
  ///
  /// - Returns: Whether it holds. Otherwise the time is over, or a promise was broken.
  @discardableResult
  func run(for limit: Duration = .seconds(1_000_000), until isDone: () -> Bool) -> Bool {
    let end = now + limit
    while !isDone() {
      guard now <= end, violations.isEmpty else { return false }
      let ready = actors.indices.filter { actors[$0].isReady }
      if !ready.isEmpty, !random.chance(3) {
        let index = random.pick(ready)
        note(index)
        let actor = actors[index]
        actor.step()
        // A watcher's own jobs give no work to another.
        if !(actor is any Watcher) { for watcher in watchers { watcher.jobDone() } }
      } else {
        // Mostly to the next timer, of which an event loop may have others; while there is work, at most by a few milliseconds.
        let next = timers.min?.time ?? now + .seconds(1)
        advance(to: ready.isEmpty ? next : min(next, now + .microseconds(random.below(20_000))))
        note(now.components.attoseconds)
      }
    }
    return true
  }

  /// Runs an asynchronous body to its end, with everything else.
  func wait<Value: Sendable>(
    on thread: SimulatedThread, _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value? {
    let box = Box<Result<Value, any Error>>()
    Task(executorPreference: thread) {
      do { box.value = .success(try await body()) } catch { box.value = .failure(error) }
    }
    run { box.value != nil }
    return try box.value?.get()
  }
}

/// A value that a job leaves for another.
private final class Box<Value>: @unchecked Sendable {
  var value: Value?
}

/// A thread whose jobs run when the world picks it.
final class SimulatedThread: WorkThread, World.Actor, @unchecked Sendable {
  private var jobs: Deque<@Sendable () -> Void> = []

  var isReady: Bool { !jobs.isEmpty }

  func step() { jobs.popFirst()?() }

  func close() { jobs.removeAll() }

  func perform(_ work: @escaping @Sendable () -> Void) { jobs.append(work) }

  func performAndWait(atMost limit: Duration, _ work: @escaping @Sendable () -> Void) {
    let isDone = Box<Void>()
    perform {
      work()
      isDone.value = ()
    }
    while isDone.value == nil { step() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    perform {
      job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Everything runs on one thread.
  func checkIsolated() {}
}

extension SplitMix64 {
  /// Returns a duration around a mean, mostly shorter and rarely much longer.
  mutating func duration(around mean: Duration) -> Duration {
    mean * Double(below(1000) * below(1000)) / 250_000
  }
}
