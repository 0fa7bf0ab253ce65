import Router

/// What came back for one of a load's calls.
struct LoadReply: Equatable {
  var status: Int
  /// The path of what was made, if something was.
  var location: String?
  var body: [UInt8]

  /// - Throws: ``RouterError`` as the daemon has it, unless the call went as it should.
  func check(_ expected: Int, _ what: String) throws {
    guard status != expected else { return }
    if let json = try? JSONValue(parsing: body), let problem = try? Problem(json: json) { throw RouterError(problem) }
    throw CommandFailure(.failed, "cannot \(what): routerd answered with status \(status)")
  }
}
