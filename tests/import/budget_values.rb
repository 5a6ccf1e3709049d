# Values that double forty times are not computed; what is named after them is left out.
Puppet::Type.newtype(:budget_values) do
  newparam(:name, namevar: true)
  t0 = 'aaaaaaaaaaaaaaaa'
  l0 = %w[a b c d]
  t1 = t0 + t0
  l1 = l0 + l0
  t2 = t1 + t1
  l2 = l1 + l1
  t3 = t2 + t2
  l3 = l2 + l2
  t4 = t3 + t3
  l4 = l3 + l3
  t5 = t4 + t4
  l5 = l4 + l4
  t6 = t5 + t5
  l6 = l5 + l5
  t7 = t6 + t6
  l7 = l6 + l6
  t8 = t7 + t7
  l8 = l7 + l7
  t9 = t8 + t8
  l9 = l8 + l8
  t10 = t9 + t9
  l10 = l9 + l9
  t11 = t10 + t10
  l11 = l10 + l10
  t12 = t11 + t11
  l12 = l11 + l11
  t13 = t12 + t12
  l13 = l12 + l12
  t14 = t13 + t13
  l14 = l13 + l13
  t15 = t14 + t14
  l15 = l14 + l14
  t16 = t15 + t15
  l16 = l15 + l15
  t17 = t16 + t16
  l17 = l16 + l16
  t18 = t17 + t17
  l18 = l17 + l17
  t19 = t18 + t18
  l19 = l18 + l18
  t20 = t19 + t19
  l20 = l19 + l19
  t21 = t20 + t20
  l21 = l20 + l20
  t22 = t21 + t21
  l22 = l21 + l21
  t23 = t22 + t22
  l23 = l22 + l22
  t24 = t23 + t23
  l24 = l23 + l23
  t25 = t24 + t24
  l25 = l24 + l24
  t26 = t25 + t25
  l26 = l25 + l25
  t27 = t26 + t26
  l27 = l26 + l26
  t28 = t27 + t27
  l28 = l27 + l27
  t29 = t28 + t28
  l29 = l28 + l28
  t30 = t29 + t29
  l30 = l29 + l29
  t31 = t30 + t30
  l31 = l30 + l30
  t32 = t31 + t31
  l32 = l31 + l31
  t33 = t32 + t32
  l33 = l32 + l32
  t34 = t33 + t33
  l34 = l33 + l33
  t35 = t34 + t34
  l35 = l34 + l34
  t36 = t35 + t35
  l36 = l35 + l35
  t37 = t36 + t36
  l37 = l36 + l36
  t38 = t37 + t37
  l38 = l37 + l37
  t39 = t38 + t38
  l39 = l38 + l38
  newproperty(t39)
  l39.each do |one|
    newproperty(one)
  end
end
