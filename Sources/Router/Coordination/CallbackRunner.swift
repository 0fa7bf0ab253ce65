/// Runs dismiss callbacks one after the other, in the order in which they are given, beside whoever gives them.
package final class CallbackRunner: Sendable {
  private let mailbox = Mailbox<@Sendable () async -> Void>()

  package init() {
    // Ends when the mailbox is finished, with this object.
    Task { [mailbox] in
      while let callbacks = await mailbox.next() {
        for callback in callbacks { await callback() }
      }
    }
  }

  deinit {
    mailbox.finish()
  }

  /// Puts a callback last, before this returns.
  package func run(_ callback: @escaping @Sendable () async -> Void) {
    mailbox.send(callback)
  }
}
