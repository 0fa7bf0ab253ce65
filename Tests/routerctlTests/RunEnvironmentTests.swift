import OrderedCollections
import Router
import Testing

@testable import routerctl

/// What `routerctl run` passes to a command, and how it reads a script's first line.
struct RunEnvironmentTests {
  private func make(_ all: [String], named: [String] = [], passesAll: Bool = false) throws -> (
    entries: [String], shown: [String]
  ) {
    let environment = try RunEnvironment(
      all.map { Array($0.utf8) }, named: named, passesAll: passesAll, account: Self.account)
    return (
      environment.entries.map { String(decoding: $0, as: UTF8.self) }.sorted(), environment.shown.map { "\($0)=\($1)" }.sorted()
    )
  }

  private static let account = RunEnvironment.Account(
    uid: 7, entry: AccountNames.Entry(name: "ada", gid: 7, home: "/h", shell: "/bin/sh"))

  @Test(
    arguments: [
      ("HOME=/h", "HOME=/evil"), ("SHELL=/bin/sh", "SHELL=/evil"), ("USER=ada", "USER=root"), ("LOGNAME=ada", "LOGNAME=root"),
      ("XDG_RUNTIME_DIR=/run/user/7", "XDG_RUNTIME_DIR=/run/user/8"), ("LANG=de_DE.UTF-8", "LANG=/evil"),
      ("LC_ALL=C", "LC_ALL=../evil"), ("TERM=xterm", "TERM=./evil"), ("TZ=Europe/Berlin", "TZ=:/evil"), ("TZ=", "TZ=a/../evil"),
      ("DISPLAY=:0", "DISPLAY=evil:0"), ("WAYLAND_DISPLAY=wayland-0", "WAYLAND_DISPLAY=/evil"),
    ])
  func `shows a variable that leads elsewhere than the account says`(usual: String, other: String) throws {
    #expect(try make([usual]) == ([usual], []))
    #expect(try make([other]) == ([other], [other]))
  }

  @Test func `passes the list and what is named, and shows PATH and what is named`() throws {
    let all = ["HOME=/h", "PATH=/bin", "LD_PRELOAD=/x", "LC_TIME=C", "A=1", "A=2", "broken", "USER=ada"]
    let plain = try make(all)
    #expect(plain.entries == ["HOME=/h", "LC_TIME=C", "PATH=/bin", "USER=ada"] && plain.shown == ["PATH=/bin"])
    let named = try make(all, named: ["A", "HOME", "B=x=y", "PATH=/opt"])
    #expect(named.entries == ["A=1", "B=x=y", "HOME=/h", "LC_TIME=C", "PATH=/opt", "USER=ada"])
    #expect(named.shown == ["A=1", "B=x=y", "HOME=/h", "PATH=/opt"])
    let passed = try make(all, passesAll: true)
    #expect(passed.entries.contains("LD_PRELOAD=/x") && passed.shown == ["A=1", "LD_PRELOAD=/x", "PATH=/bin"])
  }

  @Test func `refuses variables that cannot be shown`() throws {
    for (named, message) in [("MISSING", "it is not set"), ("=x", "the name is missing")] {
      let failure = #expect(throws: RunFailure.self) { try make([], named: [named]) }
      #expect(failure?.status == .failed && failure?.message.contains(message) == true)
    }
    #expect(throws: RunFailure.self) { try make((0..<65).map { "V\($0)=" }, passesAll: true) }
    #expect(throws: RunFailure.self) { try RunEnvironment([Array("PATH=/".utf8) + [0xFF]]) }
    // It is passed on as it is, and not shown.
    #expect(try RunEnvironment([Array("LANG=".utf8) + [0xFF]]).entries == [Array("LANG=".utf8) + [0xFF]])
  }

  @Test(
    arguments: [
      ("#!/bin/sh\n", "/bin/sh", nil, nil), ("#! /bin/sh  -e -x \nx", "/bin/sh", "-e -x", nil),
      ("#!/usr/bin/env python3\n", "/usr/bin/env", "python3", "python3"),
      ("#!/usr/bin/env -S a b\n", "/usr/bin/env", "-S a b", nil),
      ("#!/usr/bin/env A=1\n", "/usr/bin/env", "A=1", nil), ("#!sh", "sh", nil, nil),
    ] as [(String, String, String?, String?)])
  func `reads a script's first line as the kernel does`(text: String, interpreter: String, argument: String?, command: String?)
    throws
  {
    let line = try #require(ScriptLine(Array(text.utf8)))
    #expect(line.interpreter == interpreter && line.argument == argument && line.lookedUp == command)
  }

  @Test(arguments: ["", "\u{7F}ELF", "#!\n", "#!  \n", "# !/bin/sh"]) func `finds no script`(text: String) {
    #expect(ScriptLine(Array(text.utf8)) == nil)
  }
}
