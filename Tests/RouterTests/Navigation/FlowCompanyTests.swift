import OrderedCollections
import Router
import RouterCompatibility
import RouterTesting
import Testing

/// Flows alongside other activity: alerts on screens, nested flows, other requests, presenters that attach and detach.
@Suite(.timeLimit(.minutes(10)))
struct FlowCompanyTests {
  @Test func `stacks a closure's alerts on the top screen immediately`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        await proxy.show(Coupon(address: address)).then { _, _ in
          @Environment(\.showAlert) var showAlert
          let save = try? await showAlert(AlertState("Save?") { ButtonState("Yes", id: "yes", action: true) })
          scene.notes("save: \(save ?? false)")
          proxy.popToRoot()
          try? await showAlert(AlertState("Saved."))
          scene.notes("told")
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      let coupon = try await scene.answer("Coupon", .null)
      let alert = try await scene.showing("Save?")
      #expect(alert.request.over == coupon.id)
      try await scene.presenter.press(id: "yes", on: alert)
      let told = try await scene.showing("Saved.")
      #expect(told.request.over == (try scene.last("AddressForm").id))
      try await scene.presenter.press(id: "ok", on: told)
      await scene.notes.wait(for: "told")
      try await scene.back(from: "AddressForm")
      #expect(await ended.result.end == .dismissed)
      #expect(scene.notes.all == ["save: true", "told"])
    }
  }

  @Test func `ends a closure's alert when its screen is popped, and reports the reason`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            await proxy.show(Coupon(address: address)).then { _, _ in
              let end = await ShowAction().result(of: AlertState<Int>("Save?") { ButtonState("Yes", action: 1) })
              scene.notes("\(end)")
            }
          }
          group.addTask {
            await scene.notes.wait(for: "shown")
            proxy.pop()
          }
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", .null)
      _ = try await scene.showing("Save?")
      scene.notes("shown")
      #expect(try await scene.events(2) == ["- Save? 1 cancelled", "AddressForm 3"])
      try await scene.presenter.dismiss(try scene.last("AddressForm"))
      #expect(await ended.result.end == .dismissed)
      #expect(scene.notes.all == ["shown", "failure(cannot return an answer: the prompt was canceled (parentEnded))"])
    }
  }

  @Test func `shows a nested flow on the top screen and ends it independently`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        let inner = try await NavigationFlow(root: Payment()) { payment, inner in
          try await inner.show(Done(payment.rawValue)).then { _, _ in try await inner.finish() }
        }
        scene.notes("\(inner.lastAnswer?.rawValue ?? "none")")
        try await proxy.finish()
      }
      try await scene.answer("AddressForm", "Hill Road")
      let payment = try await scene.answer("Payment", "card")
      #expect(payment.request.over == (try scene.last("AddressForm").id))
      #expect(try await scene.answer("Done").request.over == payment.id)
      #expect(try await ended.result == .success("Hill Road"))
      #expect(scene.notes.all == ["card"])
      #expect(
        try await scene.endings() == ["Done cancelled/parentEnded", "Payment answered", "AddressForm answered"])
    }
  }

  @Test func `popping from the outer flow ends the nested one`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        await proxy.show(Coupon(address: address)).then { _, _ in
          let inner = await NavigationFlow(root: Payment()) { _, _ in proxy.popToRoot() }
          #expect(inner.result.end == .cancelled(.parentEnded))
          scene.notes("inner ended")
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", .null)
      try await scene.answer("Payment", "invoice")
      await scene.notes.wait(for: "inner ended")
      try await scene.back(from: "AddressForm")
      #expect(await ended.result.end == .dismissed)
    }
  }

  @Test func `other requests wait until the flow has ended`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        await proxy.show(Done(address)).then { _, _ in proxy.popToRoot() }
      }
      let root = try await scene.showing("AddressForm")
      let other = scene.coordinator.submit(PresentationRequest(kind: .alert, title: "Other", priority: .critical))
      _ = try await other.accepted()
      try await scene.presenter.answer("Hill Road", on: root)
      try await scene.answer("Done")
      try await scene.back(from: "AddressForm")
      #expect(await ended.result.end == .dismissed)
      #expect(try await scene.events(1) == ["- AddressForm 3 dismissed"])
      try await scene.presenter.press(id: "ok", on: try await scene.showing("Other"))
      #expect(try await other.resolved().outcome == .answered(.button("ok")))
    }
  }

  @Test func `survives the loss of its presenters with all screens`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        await proxy.show(Done(address)).then { _, _ in proxy.popToRoot() }
      }
      try await scene.answer("AddressForm", "Hill Road")
      _ = try await scene.showing("Done")
      scene.presenter.disconnect()
      let next = TestPresenter(scene.coordinator, name: "next")
      var shown = try await next.nextPresentation()
      if shown.request.sheet == "AddressForm" { shown = try await next.nextPresentation() }
      #expect(shown.request.sheet == "Done")
      try await next.answer([:], on: shown)
      repeat { shown = try await next.nextPresentation() } while shown.request.sheet != "AddressForm"
      try await next.dismiss(shown)
      #expect(await ended.result.end == .dismissed)
    }
  }

  @Test func `applies the flow's surface, priority and metadata to every screen`() async throws {
    try await FlowScene.run { scene in
      let kitchen = TestPresenter(scene.coordinator, on: "kitchen")
      let options = PresentationOptions(surface: "kitchen", priority: .high, conflictPolicy: .cancelNew, metadata: ["k": "v"])
      async let ended = NavigationFlow(root: AddressForm(), options: { $0 = options }) { address, proxy in
        await proxy.show(Done(address)).then { _, _ in }
      }
      let root = try await kitchen.nextPresentation()
      try await kitchen.answer("Hill Road", on: root)
      var done = try await kitchen.nextPresentation()
      while done.request.sheet != "Done" { done = try await kitchen.nextPresentation() }
      #expect(done.request.surface == "kitchen")
      #expect(done.request.priority == .high)
      #expect(done.request.conflictPolicy == .enqueue)
      #expect(done.request.metadata == ["k": "v"])
      try await kitchen.dismiss(done)
      try await kitchen.dismiss(try await kitchen.nextPresentation())
      #expect(await ended.result.end == .dismissed)
    }
  }

  @Test func `delivers a sensitive answer to the closure and the outcome without logging it`() async throws {
    try await FlowScene.run { scene in
      let options = PresentationOptions(sensitive: true)
      async let ended = NavigationFlow(root: AddressForm(), options: { $0 = options }) { address, proxy in
        scene.notes(address)
        try await proxy.finish()
      }
      try await scene.answer("AddressForm", "canary")
      #expect(try await ended.result == .success("canary"))
      #expect(scene.notes.all == ["canary"])
      for event in try await scene.reader.events(of: try scene.last("AddressForm").id) {
        #expect(!event.json.description.contains("canary"))
      }
    }
  }

  @Test func `shows screens of the same sheet type stacked and in a row`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        for round in 1...3 {
          await proxy.show(AddressForm()).then { inner, _ in
            scene.notes("\(round) \(inner)")
            proxy.popToRoot()
          }
        }
      }
      let root = try await scene.answer("AddressForm", "root")
      for round in 1...3 {
        let inner = try await scene.answer("AddressForm", .string("\(round)"))
        #expect(inner.request.over == root.id)
        let shown = try await scene.showing("AddressForm")
        #expect((shown.id, shown.generation) == (root.id, 2 + round))
      }
      try await scene.presenter.dismiss(try scene.last("AddressForm"))
      #expect(await ended.result.end == .dismissed)
      #expect(scene.notes.all == ["1 1", "2 2", "3 3"])
    }
  }

  @Test func `dismiss in a closure withdraws its screen, and the closure continues`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        let end = await proxy.show(Coupon(address: address)).then { coupon, _ in
          @Environment(\.dismiss) var dismiss
          if coupon == "A" { return dismiss() }
          scene.notes(String(describing: try? await dismiss.outcome()))
          scene.notes(Task.isCancelled ? "cancelled" : "going on")
        }
        #expect(end.end == .cancelled(.requester))
        if address == "last" {
          @Environment(\.dismiss) var dismiss
          dismiss()
        }
      }
      for (address, coupon) in [("first", "A"), ("last", "B")] {
        try await scene.answer("AddressForm", .string(address))
        try await scene.answer("Coupon", .string(coupon))
      }
      #expect(await ended.result.end == .cancelled(.requester))
      #expect(
        scene.notes.all == [
          "Optional(RouterCore.PresentationOutcome.cancelled(RouterCore.PresentationOutcome.CancellationReason.requester))",
          "going on",
        ])
    }
  }
}
