/// Runs dismiss callbacks one after the other, in the order in which their presentations ended, beside the coordinator.
final class CallbackRunner: Sendable {
  private let mailbox = Mailbox<@Sendable () async -> Void>()

  init() {
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

  func run(_ callback: @escaping @Sendable () async -> Void) {
    mailbox.send(callback)
  }
}
