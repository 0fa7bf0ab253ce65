import OrderedCollections
import Router
import RouterCompatibility
import RouterTesting
import TestSupport
import Testing

/// Queries within the process, presented by a closure or by a reader of the stream.
@Suite(.timeLimit(.minutes(10)))
struct QueryableTests {
  struct Trouble: Error, Equatable {}

  /// Expects a query to end without an answer, for the given reason.
  private func expect<Value>(
    _ reason: NoAnswer, _ query: () async throws -> Value
  ) async {
    let error = await #expect(throws: NoAnswer.self) { _ = try await query() }
    #expect(error == reason)
  }

  @Test func `a closure presents and answers`() async throws {
    let length = Queryable<String, Int> { text, query in query.answer(with: text.count) }
    #expect(try await length.query(with: "four") == 4)
    #expect(try await length.query(with: "back to back") == 12)
    #expect(!length.isQuerying)
    let confirmation = Queryable<Void, Bool> { _, query in query.answer(with: true) }
    #expect(try await confirmation.query())
    let going = Queryable<Void, Void> { _, query in query.answer() }
    try await going.query()
  }

  @Test func `each end without an answer has its own error`() async throws {
    await expect(.dismissed) { try await Queryable<Void, Int> { _, query in query.cancelQuery() }.query() }
    await expect(.dismissed) { try await Queryable<Void, Int> { _, query in query.answer(withOptional: nil) }.query() }
    let optional = Queryable<Void, Int> { _, query in query.answer(withOptional: 7) }
    #expect(try await optional.query() == 7)
    await #expect(throws: Trouble.self) {
      try await Queryable<Void, Int> { _, query in query.answer(throwing: Trouble()) }.query()
    }
    await #expect(throws: Trouble.self) { try await Queryable<Void, Int> { _, _ in throw Trouble() }.query() }
    await expect(.failed("the query was presented and discarded without an answer")) {
      try await Queryable<Void, Int> { _, _ in }.query()
    }
  }

  @Test func `counts the first answer and ignores later ones`() async throws {
    let notes = Notes()
    let query = Queryable<Int, Int> { number, query in
      query.answer(with: number)
      query.answer(with: -1)
      query.cancelQuery()
      notes("answered")
    }
    for number in 1...3 {
      #expect(try await query.query(with: number) == number)
      await notes.wait(for: "answered")
    }
  }

  @Test func `a retained resolver can answer later`() async throws {
    let kept = Mutex<QueryResolver<String>?>(nil)
    let notes = Notes()
    let query = Queryable<Void, String> { _, query in
      kept.withLock { $0 = query }
      notes("kept")
    }
    async let answer = query.query()
    await notes.wait(for: "kept")
    #expect(query.isQuerying)
    kept.withLock { $0 }?.answer(with: "later")
    #expect(try await answer == "later")
    // Releasing it after the answer has no effect.
    kept.withLock { $0 = nil }
    let other = Task { try await query.query() }
    await notes.wait(for: "kept")
    kept.withLock { $0 = nil }
    await expect(.failed("the query was presented and discarded without an answer")) { try await other.value }
  }

  @Test func `canceling the task ends the query and cancels the closure`() async throws {
    let notes = Notes()
    let query = Queryable<Void, Int> { _, query in
      notes("shown")
      await untilCancelled()
      query.answer(with: 1)
      notes("gone")
    }
    let task = Task { try await query.query() }
    await notes.wait(for: "shown")
    task.cancel()
    await expect(.cancelled(.requester)) { try await task.value }
    await notes.wait(for: "gone")
    #expect(!query.isQuerying)

    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await query.query()
    }
    await expect(.cancelled(.requester)) { try await cancelled.value }
    #expect(notes.all == ["shown", "gone"])
  }

  @Test func `starts a second query's closure after the first one has returned`() async throws {
    let notes = Notes()
    let gate = Gate()
    let query = Queryable<Int, Int> { number, query in
      notes("begin \(number)")
      query.answer(with: number)
      await gate.pass()
      notes("end \(number)")
    }
    #expect(try await query.query(with: 1) == 1)
    async let second = query.query(with: 2)
    var watched = query.queries.makeAsyncIterator()
    // The first query has ended, but its closure still runs.
    #expect(await watched.next()?.input == 2)
    #expect(notes.all == ["begin 1"])
    gate.open()
    #expect(try await second == 2)
    await notes.wait(for: "end 2")
    #expect(notes.all == ["begin 1", "end 1", "begin 2", "end 2"])
  }

  @Test func `applies cancelNew and cancelPrevious and reports each reason`() async throws {
    let query = Queryable<Int, Int>()
    #expect(query.conflictPolicy == .enqueue)
    var shown = query.queries.makeAsyncIterator()
    let first = Task { try await query.query(with: 1) }
    #expect(await shown.next()?.input == 1)
    await expect(.cancelled(.busy)) { try await query.query(with: 2, conflictPolicy: .cancelNew) }
    async let third = query.query(with: 3, conflictPolicy: .cancelPrevious)
    await expect(.cancelled(.superseded)) { try await first.value }
    let last = await shown.next()
    #expect(last?.input == 3)
    last?.resolver.answer(with: 30)
    #expect(try await third == 30)
  }

  @Test func `falls back to the object's conflict policy`() async throws {
    let query = Queryable<Int, Int>(conflictPolicy: .cancelNew)
    var shown = query.queries.makeAsyncIterator()
    async let first = query.query(with: 1)
    let observation = await shown.next()
    await expect(.cancelled(.busy)) { try await query.query(with: 2) }
    observation?.resolver.answer(with: 10)
    #expect(try await first == 10)
  }

  @Test func `cancel ends all queries without starting another`() async throws {
    let query = Queryable<Int, Int>()
    var shown = query.queries.makeAsyncIterator()
    var ends = query.ends.makeAsyncIterator()
    // Each is queued when `immediate` returns.
    let tasks = (1...3).map { number in Task.immediate { try await query.query(with: number) } }
    _ = await shown.next()
    query.cancel()
    for task in tasks { await expect(.cancelled(.requester)) { try await task.value } }
    for _ in 1...3 {
      let end = await ends.next()
      #expect(throws: NoAnswer.cancelled(.requester)) { _ = try end?.result.get() }
    }
    #expect(!query.isQuerying)
    async let next = query.query(with: 4)
    let observation = await shown.next()
    #expect(observation?.input == 4)
    observation?.resolver.answer(with: 4)
    #expect(try await next == 4)
  }

  @Test func `keeps a query for a later reader`() async throws {
    let query = Queryable<String, String>()
    let asking = Task.immediate { try await query.query(with: "early") }
    #expect(query.isQuerying)
    for await observation in query.queries {
      #expect(observation.input == "early")
      observation.resolver.answer(with: "late")
      break
    }
    #expect(try await asking.value == "late")
  }

  @Test func `reports each end with its input and result`() async throws {
    let query = Queryable<Int, Int> { number, query in
      if number == 2 { query.cancelQuery() } else { query.answer(with: 10 * number) }
    }
    var begun = query.queries.makeAsyncIterator()
    var ends = query.ends.makeAsyncIterator()
    for number in 1...3 {
      _ = try? await query.query(with: number)
      let (observation, end) = (await begun.next(), await ends.next())
      #expect(observation?.id == end?.id && end?.input == number)
      switch end?.result {
      case .success(let answer): #expect(answer == 10 * number)
      case .failure(let error): #expect(error as? NoAnswer == NoAnswer.dismissed)
      case nil: Issue.record("there was no end")
      }
    }
  }

  @Test func `ends its streams when it is deallocated`() async throws {
    var query: Queryable<Void, Int>? = Queryable { _, query in query.answer(with: 1) }
    let (queries, ends) = (try #require(query).queries, try #require(query).ends)
    _ = try await query?.query()
    query = nil
    var counts = (0, 0)
    for await _ in queries { counts.0 += 1 }
    for await _ in ends { counts.1 += 1 }
    #expect(counts == (1, 1))
  }

  @Test(arguments: 1...20) func `ends each of many concurrent queries once, one at a time`(seed: Int) async throws {
    let open = Mutex(0)
    let query = Queryable<Int, Int> { number, query in
      let count = open.withLock { open in
        open += 1
        return open
      }
      #expect(count == 1)
      await Task.detached {}.value
      open.withLock { $0 -= 1 }
      if number.isMultiple(of: 7) { query.cancelQuery() } else { query.answer(with: number) }
    }
    var random = SplitMix64(seed: UInt64(seed))
    let asked = (0..<50).map { ($0, Bool.random(using: &random)) }
    let answers = await withTaskGroup(of: Int?.self) { group in
      for (number, isCancelled) in asked {
        let task = Task { try await query.query(with: number) }
        if isCancelled { task.cancel() }
        group.addTask { try? await task.value }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 50)
    #expect(answers.compactMap(\.self).allSatisfy { !$0.isMultiple(of: 7) })
    #expect(!query.isQuerying)
  }
}
