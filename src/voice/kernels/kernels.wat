;; Inner loops of the resampler and of the speech detector, 4 floats at a time. Rebuild: node scripts/build-kernels.mjs
(module
  (memory (export "memory") 16)

  ;; Polyphase filter: out[n] = sum_k rows[phase][k] * input[whole + k], where (whole, phase) advance by down/up per output.
  ;; All pointers are byte offsets; taps is a multiple of 4; `rest` is the first output's phase.
  (func (export "fir") (param $rows i32) (param $taps i32) (param $input i32) (param $out i32) (param $count i32)
                       (param $up i32) (param $stepWhole i32) (param $stepRest i32) (param $rest i32)
    (local $a v128) (local $b v128) (local $r i32) (local $x i32) (local $end i32) (local $rowBytes i32) (local $half i32)
    (local.set $rowBytes (i32.shl (local.get $taps) (i32.const 2)))
    ;; two accumulators need 32 bytes per turn; a trailing 16 bytes are handled on their own
    (local.set $half (i32.and (local.get $rowBytes) (i32.const -32)))
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $a (v128.const f32x4 0 0 0 0))
      (local.set $b (v128.const f32x4 0 0 0 0))
      (local.set $r (i32.add (local.get $rows) (i32.mul (local.get $rest) (local.get $rowBytes))))
      (local.set $x (local.get $input))
      (local.set $end (i32.add (local.get $x) (local.get $half)))
      (block $tail (loop $mac
        (br_if $tail (i32.ge_u (local.get $x) (local.get $end)))
        (local.set $a (f32x4.add (local.get $a) (f32x4.mul (v128.load (local.get $r)) (v128.load (local.get $x)))))
        (local.set $b (f32x4.add (local.get $b) (f32x4.mul (v128.load offset=16 (local.get $r)) (v128.load offset=16 (local.get $x)))))
        (local.set $r (i32.add (local.get $r) (i32.const 32)))
        (local.set $x (i32.add (local.get $x) (i32.const 32)))
        (br $mac)))
      (if (i32.ne (local.get $half) (local.get $rowBytes)) (then
        (local.set $a (f32x4.add (local.get $a) (f32x4.mul (v128.load (local.get $r)) (v128.load (local.get $x)))))))
      (local.set $a (f32x4.add (local.get $a) (local.get $b)))
      (f32.store (local.get $out) (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
        (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $input (i32.add (local.get $input) (i32.shl (local.get $stepWhole) (i32.const 2))))
      (local.set $rest (i32.add (local.get $rest) (local.get $stepRest)))
      (if (i32.ge_u (local.get $rest) (local.get $up)) (then
        (local.set $rest (i32.sub (local.get $rest) (local.get $up)))
        (local.set $input (i32.add (local.get $input) (i32.const 4)))))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br $next))))

  ;; Convolution over time with 48 outputs: y[t][o] = (residual ? y0[t][o] : 0) + relu(bias[o] + sum_{tap,c} x[t][tap][c] * w[tap][c][o]).
  ;; x moves by xStep bytes per t; taps lie tapStep bytes apart; `residual` is 0 or the address of y0. Outputs go in three
  ;; groups of 16, so that the accumulators stay in registers.
  (func (export "conv48") (param $x i32) (param $xStep i32) (param $tapCount i32) (param $tapStep i32) (param $channels i32)
                          (param $w i32) (param $bias i32) (param $y i32) (param $count i32) (param $residual i32)
    (local $group i32) (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128) (local $s v128)
    (local $wp i32) (local $xp i32) (local $tap i32) (local $tapAt i32) (local $end i32) (local $o i32)
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $group (i32.const 0))
      (loop $groups
        (local.set $o (i32.shl (local.get $group) (i32.const 6)))
        (local.set $a0 (v128.load (i32.add (local.get $bias) (local.get $o))))
        (local.set $a1 (v128.load offset=16 (i32.add (local.get $bias) (local.get $o))))
        (local.set $a2 (v128.load offset=32 (i32.add (local.get $bias) (local.get $o))))
        (local.set $a3 (v128.load offset=48 (i32.add (local.get $bias) (local.get $o))))
        (local.set $wp (i32.add (local.get $w) (local.get $o)))
        (local.set $tap (i32.const 0))
        (local.set $tapAt (local.get $x))
        (loop $taps
          (local.set $xp (local.get $tapAt))
          (local.set $end (i32.add (local.get $xp) (i32.shl (local.get $channels) (i32.const 2))))
          (loop $mac
            (local.set $s (v128.load32_splat (local.get $xp)))
            (local.set $a0 (f32x4.add (local.get $a0) (f32x4.mul (local.get $s) (v128.load (local.get $wp)))))
            (local.set $a1 (f32x4.add (local.get $a1) (f32x4.mul (local.get $s) (v128.load offset=16 (local.get $wp)))))
            (local.set $a2 (f32x4.add (local.get $a2) (f32x4.mul (local.get $s) (v128.load offset=32 (local.get $wp)))))
            (local.set $a3 (f32x4.add (local.get $a3) (f32x4.mul (local.get $s) (v128.load offset=48 (local.get $wp)))))
            (local.set $wp (i32.add (local.get $wp) (i32.const 192)))
            (local.set $xp (i32.add (local.get $xp) (i32.const 4)))
            (br_if $mac (i32.lt_u (local.get $xp) (local.get $end))))
          (local.set $tapAt (i32.add (local.get $tapAt) (local.get $tapStep)))
          (local.set $tap (i32.add (local.get $tap) (i32.const 1)))
          (br_if $taps (i32.lt_u (local.get $tap) (local.get $tapCount))))
        (local.set $s (v128.const f32x4 0 0 0 0))
        (local.set $a0 (f32x4.max (local.get $a0) (local.get $s)))
        (local.set $a1 (f32x4.max (local.get $a1) (local.get $s)))
        (local.set $a2 (f32x4.max (local.get $a2) (local.get $s)))
        (local.set $a3 (f32x4.max (local.get $a3) (local.get $s)))
        (if (local.get $residual) (then
          (local.set $a0 (f32x4.add (local.get $a0) (v128.load (i32.add (local.get $residual) (local.get $o)))))
          (local.set $a1 (f32x4.add (local.get $a1) (v128.load offset=16 (i32.add (local.get $residual) (local.get $o)))))
          (local.set $a2 (f32x4.add (local.get $a2) (v128.load offset=32 (i32.add (local.get $residual) (local.get $o)))))
          (local.set $a3 (f32x4.add (local.get $a3) (v128.load offset=48 (i32.add (local.get $residual) (local.get $o)))))))
        (v128.store (i32.add (local.get $y) (local.get $o)) (local.get $a0))
        (v128.store offset=16 (i32.add (local.get $y) (local.get $o)) (local.get $a1))
        (v128.store offset=32 (i32.add (local.get $y) (local.get $o)) (local.get $a2))
        (v128.store offset=48 (i32.add (local.get $y) (local.get $o)) (local.get $a3))
        (local.set $group (i32.add (local.get $group) (i32.const 1)))
        (br_if $groups (i32.lt_u (local.get $group) (i32.const 3))))
      (local.set $x (i32.add (local.get $x) (local.get $xStep)))
      (local.set $y (i32.add (local.get $y) (i32.const 192)))
      (if (local.get $residual) (then (local.set $residual (i32.add (local.get $residual) (i32.const 192)))))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br $next))))
)
