import HeapModule

/// Schedules callbacks, without I/O, clock or tasks. Callbacks of one user to one socket run one at a time, in the
/// order in which their presentations ended, except those that wait for a retry. A concurrency limit per user keeps
/// unresponsive sockets from delaying other users.
package struct CallbackSchedule: Sendable {
  /// The retry policy.
  package struct Rule: Sendable, Hashable {
    /// The number of failed attempts after which the callback has failed.
    package var tries: Int
    /// The delay after the first failed attempt; it doubles with each further attempt.
    package var firstDelay: Duration
    /// The maximum delay.
    package var longestDelay: Duration
    /// The maximum number of concurrent callbacks per user.
    package var concurrentPerUser: Int

    package init(
      tries: Int = 10, firstDelay: Duration = .seconds(1), longestDelay: Duration = .seconds(300), concurrentPerUser: Int = 8
    ) {
      self.tries = tries
      self.firstDelay = firstDelay
      self.longestDelay = longestDelay
      self.concurrentPerUser = concurrentPerUser
    }

    func delay(after attempts: Int) -> Duration {
      min(longestDelay, firstDelay * (1 << min(max(0, attempts - 1), 30)))
    }
  }

  package enum Fate: Sendable, Hashable {
    case tryAgain(at: Duration)
    case giveUp
  }

  /// The key of callbacks that run one at a time.
  private struct Lane: Hashable {
    let uid: UInt32
    let socketPath: String
  }

  private struct Job {
    let lane: Lane
    var attempts: Int
  }

  private struct Retry: Comparable {
    let until: Duration
    let id: PresentationID

    static func < (left: Retry, right: Retry) -> Bool { (left.until, left.id) < (right.until, right.id) }
  }

  let rule: Rule
  private var jobs: [PresentationID: Job] = [:]
  private var waiting: [Lane: [PresentationID]] = [:]
  private var underWay: [Lane: PresentationID] = [:]
  private var countUnderWay: [UInt32: Int] = [:]
  private var retries: Heap<Retry> = []

  package init(rule: Rule = Rule()) { self.rule = rule }

  var count: Int { jobs.count }
  package var nextTime: Duration? { retries.min?.until }

  /// Adds a callback; `attempts` is the number of attempts made by an earlier coordinator.
  package mutating func add(_ id: PresentationID, uid: UInt32, socketPath: String, attempts: Int = 0) {
    precondition(jobs[id] == nil, "\(id) is to be called back already")
    let lane = Lane(uid: uid, socketPath: socketPath)
    jobs[id] = Job(lane: lane, attempts: attempts)
    waiting[lane, default: []].append(id)
  }

  /// Returns the callbacks to attempt now. Each is running until ``succeeded(_:)`` or ``failed(_:at:)``.
  package mutating func due(at now: Duration) -> [PresentationID] {
    while let retry = retries.min, retry.until <= now {
      retries.removeMin()
      guard let job = jobs[retry.id] else { continue }
      waiting[job.lane, default: []].append(retry.id)
    }
    var started: [PresentationID] = []
    // Sorted for a deterministic order.
    for lane in waiting.keys.sorted(by: { ($0.uid, $0.socketPath) < ($1.uid, $1.socketPath) }) {
      guard underWay[lane] == nil, countUnderWay[lane.uid, default: 0] < rule.concurrentPerUser else { continue }
      let id = waiting[lane]!.removeFirst()
      if waiting[lane]!.isEmpty { waiting[lane] = nil }
      underWay[lane] = id
      countUnderWay[lane.uid, default: 0] += 1
      jobs[id]!.attempts += 1
      started.append(id)
    }
    return started
  }

  /// Completes an accepted callback, and returns the number of attempts.
  package mutating func succeeded(_ id: PresentationID) -> Int {
    let job = leave(id)
    jobs[id] = nil
    return job.attempts
  }

  /// Records a failed attempt. Returns the callback's next step and the number of attempts.
  package mutating func failed(_ id: PresentationID, at now: Duration) -> (fate: Fate, attempts: Int) {
    let job = leave(id)
    guard job.attempts < rule.tries else {
      jobs[id] = nil
      return (.giveUp, job.attempts)
    }
    let time = now + rule.delay(after: job.attempts)
    retries.insert(Retry(until: time, id: id))
    return (.tryAgain(at: time), job.attempts)
  }

  /// Drops a waiting or running callback.
  package mutating func remove(_ id: PresentationID) {
    guard let job = jobs[id] else { return }
    if underWay[job.lane] == id { _ = leave(id) }
    jobs[id] = nil
    waiting[job.lane]?.removeAll { $0 == id }
    if waiting[job.lane]?.isEmpty == true { waiting[job.lane] = nil }
  }

  private mutating func leave(_ id: PresentationID) -> Job {
    guard let job = jobs[id], underWay[job.lane] == id else { preconditionFailure("\(id) is not under way") }
    underWay[job.lane] = nil
    countUnderWay[job.lane.uid]! -= 1
    if countUnderWay[job.lane.uid] == 0 { countUnderWay[job.lane.uid] = nil }
    return job
  }
}
