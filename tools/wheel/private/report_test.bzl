# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`report_test`: what the tests of a wheel share. A build action judges the wheel, the test shows its report.

So the work is cached like any action, runs on the tools' Python, and is done again only when the wheel or the declared
expectations change.
"""

def report_test(ctx, tool, arguments, inputs, mnemonic):
    """Declares the action and the test that shows what it found.

    Args:
      ctx: context of a test rule.
      tool: executable that takes `--output` for its report and `--exit-code-file` for its verdict.
      arguments: an `Args` object with the rest of its command line.
      inputs: files that it reads.
      mnemonic: of the action.

    Returns:
      The providers of the rule.
    """
    report = ctx.actions.declare_file(ctx.label.name + ".report")
    code = ctx.actions.declare_file(ctx.label.name + ".exit_code")
    arguments.add("--output", report)
    arguments.add("--exit-code-file", code)
    ctx.actions.run(
        executable = tool,
        arguments = [arguments],
        inputs = inputs,
        outputs = [report, code],
        mnemonic = mnemonic,
        progress_message = "Judging wheel %{input}",
    )
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(
        script,
        "#!/bin/sh\ncat '{}'\nread -r code <'{}'\nexit \"$code\"\n".format(report.short_path, code.short_path),
        is_executable = True,
    )
    return [
        DefaultInfo(executable = script, runfiles = ctx.runfiles([report, code])),
        OutputGroupInfo(report = depset([report])),
    ]
