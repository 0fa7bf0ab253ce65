/// What events say of presentations, and what rows say, each added up, so that the two can be compared without looking for the
/// events of each row.
///
/// Each request and each end is hashed with a key that is drawn anew for each walk, and the hashes are added: the same things
/// in another order come to the same sum, and whoever does not know the key cannot change a row so that the sum stays. They
/// are added in ``bucketCount`` parts, by the id: where two differ, only the rows of that part have to be looked at closely.
struct RowSums: Sendable {
  /// Drawn for one walk.
  struct Key: Sendable, Hashable {
    let first = UInt64.random(in: .min ... .max)
    let second = UInt64.random(in: .min ... .max)
  }

  static let bucketCount = 4096

  private let key: Key
  private var sums = [UInt64](repeating: 0, count: bucketCount)
  /// How many requests were added.
  private var requests = [Int](repeating: 0, count: bucketCount)

  init(key: Key) {
    self.key = key
  }

  /// Adds what another part of the walk found.
  mutating func add(_ other: RowSums) {
    for bucket in 0..<Self.bucketCount {
      sums[bucket] &+= other.sums[bucket]
      requests[bucket] += other.requests[bucket]
    }
  }

  /// The parts in which these differ from others.
  func differences(from other: RowSums) -> Set<Int> {
    Set((0..<Self.bucketCount).filter { sums[$0] != other.sums[$0] || requests[$0] != other.requests[$0] })
  }

  /// How many requests were added to some of the parts.
  func requests(in buckets: Set<Int>) -> Int { buckets.reduce(0) { $0 + requests[$1] } }

  /// In which part an id is: by its last three characters, which are random in a UUIDv7.
  static func bucket(of id: UnsafeRawBufferPointer) -> Int {
    id.suffix(3).reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % bucketCount
  }

  // MARK: Rows

  /// Adds what a row says was asked.
  mutating func addRequest(of id: Bytes, app: Bytes, uid: Bytes, request: Bytes) {
    add(to: Self.bucket(of: id), 1, id, app, uid, request)
    requests[Self.bucket(of: id)] += 1
  }

  /// Adds how a row says that it ended.
  mutating func addEnd(of id: Bytes, as outcome: Bytes, at time: Bytes, result: Bytes) {
    add(to: Self.bucket(of: id), 2, id, outcome, time, result)
  }

  // MARK: Events

  /// Adds what the event `requested` says was asked. One that is not in the form in which it is written makes its part differ.
  mutating func addRequest(of id: Bytes, detail: Bytes) {
    guard let (app, uid, request) = Self.request(in: detail) else { return differ(id) }
    addRequest(of: id, app: app, uid: uid, request: request)
  }

  /// Adds how an event of that type says that a presentation ended. An answer after which it goes on, as a flow does, is no end.
  mutating func addEnd(of id: Bytes, as type: Bytes, at time: Bytes, detail: Bytes) {
    guard detail.starts(with: Self.outcome) else { return differ(id) }
    let rest = detail.dropping(Self.outcome.utf8CodeUnitCount)
    guard let end = rest.endOfObject else { return differ(id) }
    guard !rest.dropping(end).contains(Self.stays) else { return }
    addEnd(of: id, as: type, at: time, result: Bytes(rebasing: rest[..<end]))
  }

  private static let outcome: StaticString = #"{"outcome":"#
  private static let stays: StaticString = #""stays":true"#
  private static let attached: [StaticString] = [#","attached":true}"#, #","attached":false}"#]

  /// The parts of the detail of a `requested` event: `{"requester":{"app":"…","uid":…,…},"request":{…},"attached":…}`.
  private static func request(in detail: Bytes) -> (app: Bytes, uid: Bytes, request: Bytes)? {
    let requester: StaticString = #"{"requester":"#
    let app: StaticString = #"{"app":""#
    let uid: StaticString = #"","uid":"#
    let request: StaticString = #","request":"#
    guard detail.starts(with: requester) else { return nil }
    let who = detail.dropping(requester.utf8CodeUnitCount)
    guard who.starts(with: app), let endOfRequester = who.endOfObject else { return nil }
    let name = who.dropping(app.utf8CodeUnitCount)
    guard let endOfName = name.firstIndex(of: UInt8(ascii: "\"")), name.dropping(endOfName).starts(with: uid) else {
      return nil
    }
    let number = name.dropping(endOfName + uid.utf8CodeUnitCount)
    guard let endOfNumber = number.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let what = who.dropping(endOfRequester)
    guard what.starts(with: request) else { return nil }
    let body = what.dropping(request.utf8CodeUnitCount)
    // Nearly all end so; then nothing has to be read.
    let end = attached.first { body.ends(with: $0) }.map { body.count - $0.utf8CodeUnitCount } ?? body.endOfObject
    guard let end else { return nil }
    return (Bytes(rebasing: name[..<endOfName]), Bytes(rebasing: number[..<endOfNumber]), Bytes(rebasing: body[..<end]))
  }

  // MARK: Sums

  private mutating func add(to bucket: Int, _ kind: UInt8, _ first: Bytes, _ second: Bytes, _ third: Bytes, _ fourth: Bytes) {
    var hasher = Hasher()
    hasher.combine(key.first)
    hasher.combine(key.second)
    hasher.combine(kind)
    // Each with its length, so that no text can pass over into the next.
    for bytes in [first, second, third, fourth] { hasher.combine(bytes.count) }
    hasher.combine(bytes: first)
    hasher.combine(bytes: second)
    hasher.combine(bytes: third)
    hasher.combine(bytes: fourth)
    sums[bucket] &+= UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private mutating func differ(_ id: Bytes) {
    sums[Self.bucket(of: id)] &+= .random(in: 1 ... .max)
  }
}
